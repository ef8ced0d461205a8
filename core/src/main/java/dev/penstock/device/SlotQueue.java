package dev.penstock.device;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes an epoch's slots from the copying thread to the consumer and back.
///
/// **Threads.** Safe for any. No thread waits here while holding a lock that another needs.
final class SlotQueue {
  /// What the copying thread does.
  @FunctionalInterface
  interface Copying {
    void run() throws InterruptedException;
  }

  @GuardedBy("this")
  private final Deque<DeviceSlot> free;

  @GuardedBy("this")
  private final Deque<DeviceSlot> ready = new ArrayDeque<>();

  @GuardedBy("this")
  private final List<Lease> open = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable EpochIterator<Batch> source;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  @GuardedBy("this")
  private boolean isShort; // there is another batch, and no slot for it

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean over;

  SlotQueue(List<DeviceSlot> slots) {
    free = new ArrayDeque<>(slots);
  }

  /// Runs the copying thread's work, to its end.
  void run(Copying copying) {
    Throwable thrown = null;
    try {
      copying.run();
    } catch (Throwable e) {
      thrown = e;
    }
    finish(thrown);
  }

  private synchronized void finish(@Nullable Throwable thrown) {
    failure = thrown;
    over = true;
    notifyAll();
  }

  /// Sets what to close when the epoch must end.
  synchronized void source(EpochIterator<Batch> batches) {
    source = batches;
  }

  /// Waits for a free slot to copy into, and takes it.
  ///
  /// @return null if the epoch must end
  synchronized @Nullable DeviceSlot takeFree() throws InterruptedException {
    while (free.isEmpty() && !ended) {
      isShort = true;
      notifyAll();
      wait();
    }
    isShort = false;
    return ended ? null : free.removeFirst();
  }

  synchronized void deliver(DeviceSlot slot) {
    ready.add(slot);
    notifyAll();
  }

  private synchronized boolean hasNext() {
    while (ready.isEmpty() && !over && !ended) {
      requireRoom();
      await();
    }
    if (ready.isEmpty() && failure != null && !ended) {
      throw thrown(failure);
    }
    return !ready.isEmpty() && !ended;
  }

  /// Fails if all slots are open: waiting for a batch would never end.
  @GuardedBy("this")
  private void requireRoom() {
    if (isShort && free.isEmpty()) {
      throw new IllegalStateException(
          "Cannot copy the next batch: "
              + open.size()
              + " batches on the GPU are open. Close each when its work was submitted.");
    }
  }

  @SuppressWarnings("WaitNotInLoop") // hasNext loops
  private void await() {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a batch.", e);
    }
  }

  private static RuntimeException thrown(Throwable failure) {
    return switch (failure) {
      case Error error -> throw error;
      case RuntimeException exception -> exception;
      default -> new IllegalStateException(failure.getMessage(), failure);
    };
  }

  /// Returns the consumer's side.
  ///
  /// @param received called with a slot that the consumer receives
  /// @param closing called with a slot before it is free again
  Iterator<DeviceBatch> batches(Consumer<DeviceSlot> received, Consumer<DeviceSlot> closing) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return SlotQueue.this.hasNext();
      }

      @Override
      public DeviceBatch next() {
        if (!hasNext()) {
          throw new NoSuchElementException("The epoch has no more batches.");
        }
        DeviceSlot slot = takeReady();
        received.accept(slot);
        return open(slot, closing);
      }
    };
  }

  private synchronized DeviceSlot takeReady() {
    return ready.removeFirst();
  }

  private synchronized DeviceBatch open(DeviceSlot slot, Consumer<DeviceSlot> closing) {
    Lease[] own = new Lease[1];
    own[0] = new Lease(() -> close(slot, own[0], closing));
    open.add(own[0]);
    return new DeviceBatch(slot, own[0]);
  }

  private void close(DeviceSlot slot, Lease lease, Consumer<DeviceSlot> closing) {
    closing.accept(slot);
    synchronized (this) {
      open.remove(lease);
      free.add(slot);
      notifyAll();
    }
  }

  /// Ends the epoch: closes the batches that are open and waits until the copying thread is done.
  void end() {
    List<Lease> left;
    EpochIterator<Batch> reading;
    synchronized (this) {
      ended = true;
      notifyAll();
      left = List.copyOf(open);
      reading = source;
    }
    left.forEach(Lease::close);
    if (reading != null) {
      reading.close();
    }
    awaitEnd();
  }

  /// Waits even if interrupted, because the caller frees memory afterwards.
  private void awaitEnd() {
    boolean isInterrupted = false;
    synchronized (this) {
      while (!over) {
        try {
          wait();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
