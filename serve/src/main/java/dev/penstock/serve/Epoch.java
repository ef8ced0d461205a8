package dev.penstock.serve;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.WorkerException;
import dev.penstock.batch.Batch;
import dev.penstock.serve.BatchColumns.Pair;
import dev.penstock.steps.StepDigest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the batches of one epoch, as many as the client has given credits for.
///
/// **Threads.** [#run()] on a thread of its own; the rest by any.
final class Epoch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Epoch.class);
  private static final long GATHER_NANOS = 250_000;

  /// How often it is tried to make the same batch.
  private static final int ATTEMPTS_MAX = 3;

  private final int number;
  private final DataLoader loader;
  private final Sender sender;
  private final Beginning beginning;
  private final Semaphore credits;
  private final Shortage shortage;
  private final Shortage.SmallStep<Shortage.Work> entering; // made while there is heap

  // Of the thread that runs it.
  private @Nullable LoaderState place; // behind the last batch that was sent
  private boolean hasColumns; // the client

  private volatile boolean ended;
  private volatile @Nullable EpochIterator<Batch> batches;

  /// Where an epoch begins.
  ///
  /// @param epoch the epoch to begin; empty for the next one, or the state's
  /// @param state where to go on; null for the beginning
  record Beginning(OptionalLong epoch, @Nullable LoaderState state) {}

  /// What sends the frames of an epoch.
  interface Sender {
    void columns(int epoch, Batch batch) throws IOException;

    /// Sends the digest of the batch that follows.
    void digest(int epoch, StepDigest digest) throws IOException;

    void batch(int epoch, Batch batch, byte[] state, List<Pair> pairs) throws IOException;

    /// Returns whether a frame was sent in part, so that no other can be.
    boolean isBroken();

    /// Returns whether there are batches that were not sent yet.
    boolean hasGathered();

    /// Sends batches that were gathered.
    void flush() throws IOException;

    void end(int epoch, String state) throws IOException;

    void error(int epoch, Throwable met);

    /// Ends the connection.
    void hangUp();
  }

  /// Makes it; nothing is read yet.
  ///
  /// @param number its number in this connection, which its frames carry
  /// @param credits how many batches the client takes at first
  Epoch(
      int number,
      DataLoader loader,
      Sender sender,
      Beginning beginning,
      int credits,
      Shortage shortage) {
    this.number = number;
    this.loader = loader;
    this.sender = sender;
    this.beginning = beginning;
    this.credits = new Semaphore(credits);
    this.shortage = shortage;
    this.entering = () -> shortage.enter(loader::close);
  }

  /// Lets it send more batches.
  void more(int count) {
    credits.release(count);
  }

  /// Ends it early.
  void end() {
    ended = true;
    EpochIterator<Batch> open = batches;
    if (open != null) {
      open.close();
    }
    credits.release(); // wakes the sender, which looks at `ended`
  }

  @Override
  public void run() {
    try (Shortage.Work work = Shortage.insist(entering)) {
      run(work);
    } catch (Throwable e) {
      sender.hangUp(); // else a client that was not told would wait
      LOG.warn("Cannot begin or end an epoch", e);
    }
  }

  private void run(Shortage.Work work) {
    try {
      sendAll(work);
    } catch (Throwable e) {
      // Whatever it is, the client is told: there is nobody else.
      if (!ended) {
        sender.error(number, work.told(e));
      }
      if (work.refusal() != null) {
        sender.hangUp();
      }
    }
  }

  private LoaderState start() {
    if (beginning.epoch().isPresent()) {
      loader.setEpoch(beginning.epoch().getAsLong());
    }
    if (beginning.state() != null) {
      loader.resume(beginning.state());
    }
    return loader.state();
  }

  /// Sends all batches. Where the heap was short, perhaps because of others, it goes on behind the
  /// last batch that was sent.
  private void sendAll(Shortage.Work work) throws IOException, InterruptedException {
    int attempts = 0;
    LoaderState first = null;
    while (true) {
      LoaderState before = place;
      long others = shortage.begun();
      try {
        if (first == null) {
          first = start();
          place = first;
        } else if (isEndedBehind(first, Objects.requireNonNull(place))) {
          return;
        }
        send(work);
        return;
      } catch (IOException | RuntimeException | Error e) {
        attempts = Objects.equals(before, place) ? attempts + 1 : 1;
        if (ended
            || attempts == ATTEMPTS_MAX
            || sender.isBroken()
            || !shortage.mayTryAgain(work, others, e)) {
          throw e;
        }
      }
      Shortage.awaitRoom();
      if (ended) {
        return;
      }
    }
  }

  /// Goes on behind a place; ends where the last batch of the epoch was sent.
  private boolean isEndedBehind(LoaderState first, LoaderState from) throws IOException {
    LOG.warn("Memory or files are short, and an epoch goes on behind {} batches", from.batches());
    if (from.epoch() != first.epoch()) {
      sender.end(number, from.toJson());
      return true;
    }
    loader.resume(from);
    return false;
  }

  /// Waits a moment for more batches to send at once: each time a client wakes up, it takes a
  /// processor from a worker, for whom the others may wait; and so does looking more often.
  private boolean hasNext(EpochIterator<Batch> epoch) throws IOException {
    if (sender.hasGathered() && !epoch.isReady() && !ended) {
      LockSupport.parkNanos(GATHER_NANOS);
    }
    if (!epoch.isReady()) {
      sender.flush();
    }
    return patiently(epoch::hasNext);
  }

  /// Takes a step however long that is, and tells the client each time that a batch did not come
  /// within the loader's timeout: it knows how long it wants to wait.
  private <T> T patiently(Supplier<T> step) {
    while (true) {
      try {
        return step.get();
      } catch (WorkerException e) {
        if (!e.isTimeout()) {
          throw e;
        }
        sender.error(number, e);
      }
    }
  }

  private void acquire() throws IOException, InterruptedException {
    if (!credits.tryAcquire()) {
      sender.flush();
      credits.acquire();
    }
  }

  private void send(Batch batch) throws IOException {
    try {
      if (!hasColumns) {
        sender.columns(number, batch);
        hasColumns = true;
      }
      LoaderState behind = loader.state();
      Optional<StepDigest> digest = loader.lastStep();
      if (digest.isPresent()) {
        sender.digest(number, digest.get());
      }
      byte[] state = behind.toJson().getBytes(StandardCharsets.UTF_8);
      sender.batch(number, batch, state, BatchColumns.pairs(batch));
      place = behind;
    } catch (Throwable e) {
      batch.close(); // the client will never say that it is free
      throw e;
    }
  }

  private void send(Shortage.Work work) throws IOException, InterruptedException {
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      batches = epoch;
      while (!ended && hasNext(epoch)) {
        acquire();
        if (ended) {
          return;
        }
        boolean sent = false;
        try {
          send(patiently(epoch::next));
          sent = true;
          work.cameOn();
        } finally {
          if (!sent) {
            credits.release();
          }
        }
      }
      if (!ended) {
        sender.end(number, loader.state().toJson());
      }
    }
  }
}
