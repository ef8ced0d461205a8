package dev.penstock.internal.deliver;

import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Which batch the consumer takes next.
///
/// **Threads.** Under the [DeliveryQueue]'s lock.
sealed interface Taking {
  /// Returns the batch to take now, with or without its result; null if none is ready.
  ///
  /// @param unmade the first batch whose result nobody is making; null if there is none
  @Nullable Delivered next(@Nullable Delivered unmade);

  /// Returns whether a worker may make the result of a batch now, or is too far ahead.
  ///
  /// @param results how many are made or begun, and not taken
  boolean mayMake(long number, long results);

  /// Adds a batch that is ready.
  void add(Delivered batch);

  /// Removes the next batch, which the consumer takes.
  void remove();

  /// In the order of the sequence. The result of the very next batch may always be made.
  record InOrder(OpenBatches open, int resultsMax) implements Taking {
    @Override
    public @Nullable Delivered next(@Nullable Delivered unmade) {
      return open.finished(open.first());
    }

    @Override
    public boolean mayMake(long number, long results) {
      return number < open.first() + resultsMax;
    }

    @Override
    public void add(Delivered batch) {}

    @Override
    public void remove() {}
  }

  /// Each as soon as it is ready.
  ///
  /// @param arrived the ready batches in the order they were
  record AsReady(Deque<Delivered> arrived, int resultsMax) implements Taking {
    @Override
    public @Nullable Delivered next(@Nullable Delivered unmade) {
      Delivered first = arrived.peek();
      return first == null ? unmade : first;
    }

    @Override
    public boolean mayMake(long number, long results) {
      return results < resultsMax;
    }

    @Override
    public void add(Delivered batch) {
      arrived.add(batch);
    }

    @Override
    public void remove() {
      arrived.remove();
    }
  }
}
