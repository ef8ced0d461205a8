package dev.penstock.serve;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.serve.BatchColumns.Pair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// A model that is the client of a connection: it is sent batches, and sends back their outputs.
///
/// A batch lies in the client's memory and is not copied; only some rows of one may be sent.
///
/// **Threads.** [#run] by any; the client takes one batch after another. How long it takes is its
/// own matter: a call ends with an answer, with the connection, or when its thread is interrupted.
final class ClientModel implements Model {
  /// How many batches the client may have: one that it works on, and the next.
  private static final int AHEAD = 2;

  /// The number of the columns, which are the same for all batches.
  private static final int EPOCH = 1;

  private final Frames frames;
  private final SharedMemory memory;
  private final ScoreRequest asked;
  private final Function<String, NullPolicy> nulls;
  private final Semaphore ahead = new Semaphore(AHEAD, true);
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<ByteBuffer>> waiting = new ConcurrentHashMap<>();
  private boolean hasColumns; // of the thread that sends

  /* Frames are sent by a thread of their own, because to interrupt a thread that writes to a socket
   * closes it, and those of a scorer that stops are interrupted: the client could not be told why. */
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("penstock-score-sender").factory());

  ClientModel(Frames frames, SharedMemory memory, ScoreRequest asked) {
    this.frames = frames;
    this.memory = memory;
    this.asked = asked;
    this.nulls = asked.reading().options().columns().nulls()::forColumn;
  }

  /// Something that is sent.
  interface Sending {
    void run() throws IOException;
  }

  @Override
  public String version() {
    return asked.version();
  }

  /// A matrix is of FLOAT32. Any other type stands for a column as it is.
  @Override
  public List<ModelInput> inputs() {
    List<ModelInput> inputs = new ArrayList<>();
    asked
        .inputs()
        .forEach((name, of) -> {
          DType dtype = of.isMatrix() ? DType.FLOAT32 : DType.FLOAT64;
          inputs.add(new ModelInput(name, dtype, List.of(-1L, -1L), List.of()));
        });
    return inputs;
  }

  @Override
  public Map<String, Object> run(Batch batch) throws Exception {
    List<Pair> pairs = BatchColumns.pairs(batch);
    boolean isShared = pairs.stream().allMatch(pair -> memory.holds(pair.memory()));
    // A batch that is sent is read before the next one, which else could wait for the client while
    // the client waits for the thread that reads.
    int places = isShared ? 1 : AHEAD;
    long id = ids.incrementAndGet();
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    ahead.acquire(places);
    try {
      waiting.put(id, answer);
      send(() -> {
        if (!hasColumns) {
          frames.write(FrameKind.COLUMNS, columns(batch));
          hasColumns = true;
        }
        BatchSender to = new BatchSender(isShared ? Optional.of(memory) : Optional.empty());
        frames.gather(to.frame(id, EPOCH, batch.rowCount(), new byte[0], pairs));
        frames.flush();
      });
      return ClientOutputs.read(answer.get(), batch.rowCount());
    } finally {
      waiting.remove(id);
      ahead.release(places);
    }
  }

  private String columns(Batch batch) {
    return Json.object(json -> {
      json.writeNumberProperty("number", EPOCH);
      BatchColumns.write(batch, nulls, json);
    });
  }

  /// Sends, and waits until that is done, even if the thread is interrupted: what is sent would be
  /// freed.
  private void send(Sending sending) throws InterruptedException {
    boolean wasInterrupted = false;
    try {
      Future<?> sent = submit(sending);
      while (true) {
        try {
          sent.get();
          return;
        } catch (InterruptedException _) {
          wasInterrupted = true;
        }
      }
    } catch (ExecutionException | RejectedExecutionException e) {
      if (e.getCause() instanceof RuntimeException of) {
        throw of;
      }
      InterruptedException gone = new InterruptedException("The client is gone.");
      gone.initCause(e);
      throw gone;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Future<?> submit(Sending sending) {
    return sender.submit(() -> {
      sending.run();
      return null;
    });
  }

  /// Sends something for which nobody waits. A client that is gone is noticed elsewhere.
  void tell(Sending sending) {
    Future<?> _ = submit(sending);
  }

  /// Takes the outputs of a batch.
  ///
  /// @param contents those of an `OUTPUTS` frame
  /// @throws ProtocolException if no batch waits for them
  void outputs(ByteBuffer contents) throws ProtocolException {
    if (contents.remaining() < Long.BYTES) {
      throw new ProtocolException("outputs of " + contents.remaining() + " bytes.");
    }
    long id = contents.getLong();
    CompletableFuture<ByteBuffer> answer = waiting.get(id);
    if (answer != null) {
      answer.complete(contents);
    } else if (id < 1 || id > ids.get()) {
      throw new ProtocolException("outputs of a batch " + id + ".");
    } // else its thread was interrupted
  }

  /// Waits until all is sent. No [#run] may be in progress.
  @Override
  public void close() {
    sender.close();
  }
}
