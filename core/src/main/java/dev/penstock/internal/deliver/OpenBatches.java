package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.stats.BatchQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The window: a fixed number of batches from the first on that the consumer has not taken.
///
/// **Threads.** Under the [DeliveryQueue]'s lock.
final class OpenBatches {
  /// How far a batch is.
  private sealed interface State {
    record Filling(PartialBatch batch) implements State {} // workers write its rows

    /// It is whole, and nobody is making its result.
    record Finished(Delivered batch) implements State {}

    record Making(Delivered batch) implements State {} // a thread is making its result

    record Taken() implements State {} // the consumer took it ahead of the sequence
  }

  private final @Nullable State[] states; // by slot; null for batches not begun
  private final long[] sideBytes; // by slot, what the batch has outside of its slab
  private long sideBytesInAll;
  private long first;

  OpenBatches(int capacity) {
    this.states = new State[capacity];
    this.sideBytes = new long[capacity];
  }

  int capacity() {
    return states.length;
  }

  long first() {
    return first;
  }

  private int slot(long number) {
    return (int) (number % states.length);
  }

  /// Returns a batch; null if it is not being filled.
  @Nullable PartialBatch filling(long number) {
    return states[slot(number)] instanceof State.Filling(PartialBatch batch)
            && batch.number == number
        ? batch
        : null;
  }

  /// Returns a batch; null if it is not finished, or a thread is making its result.
  @Nullable Delivered finished(long number) {
    return states[slot(number)] instanceof State.Finished(Delivered batch) ? batch : null;
  }

  void begin(PartialBatch batch) {
    states[slot(batch.number)] = new State.Filling(batch);
  }

  void finish(Delivered batch) {
    states[slot(batch.number())] = new State.Finished(batch);
  }

  void make(Delivered batch) {
    states[slot(batch.number())] = new State.Making(batch);
  }

  void remove(Delivered batch) {
    states[slot(batch.number())] = null;
  }

  void take(Delivered batch) {
    int slot = slot(batch.number());
    states[slot] = new State.Taken();
    sideBytesInAll -= sideBytes[slot];
    sideBytes[slot] = 0;
    while (states[slot(first)] instanceof State.Taken) {
      states[slot(first)] = null;
      first++;
    }
  }

  /// Passes the first batch, which has no rows.
  void skip() {
    first++;
  }

  void countSideBytes(PartialBatch batch) {
    long bytes = batch.sideBytes();
    sideBytesInAll += bytes - sideBytes[slot(batch.number)];
    sideBytes[slot(batch.number)] = bytes;
  }

  long sideBytes() {
    return sideBytesInAll;
  }

  /// Shortens the last batch if workers have begun to fill it; returns it if this completes it.
  @Nullable PartialBatch shortenLast(long rows, int batchSize) {
    int count = (int) (rows % batchSize);
    PartialBatch last = count == 0 ? null : filling(rows / batchSize);
    if (last == null) {
      return null;
    }
    boolean wasComplete = last.isComplete();
    last.shorten(count);
    return last.isComplete() && !wasComplete ? last : null;
  }

  /// Returns the memory that the first batch has and has reserved; -1 if it was not begun.
  long bytesOfFirst() {
    return switch (states[slot(first)]) {
      case State.Filling(PartialBatch batch) -> batch.keptBytes();
      case State.Finished(Delivered batch) -> batch.filled().keptBytes();
      case State.Making(Delivered batch) -> batch.filled().keptBytes();
      case State.Taken _ -> -1;
      case null -> -1;
    };
  }

  BatchQueue counts() {
    int ready = 0;
    int begun = 0;
    for (State state : states) {
      switch (state) {
        case State.Finished _ -> ready++;
        case State.Filling _, State.Making _ -> begun++;
        case State.Taken _ -> {}
        case null -> {}
      }
    }
    return new BatchQueue(ready, begun, states.length);
  }

  List<Delivered> removeFinished() {
    List<Delivered> removed = new ArrayList<>();
    for (int slot = 0; slot < states.length; slot++) {
      if (states[slot] instanceof State.Finished(Delivered batch)) {
        removed.add(batch);
        states[slot] = null;
      }
    }
    return removed;
  }

  void releaseFilling() {
    for (int slot = 0; slot < states.length; slot++) {
      if (states[slot] instanceof State.Filling(PartialBatch batch)) {
        batch.release();
        states[slot] = null;
      }
    }
  }
}
