package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.slices.Rows;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Where the rows go that one worker decodes.
///
/// First comes room for a unit's rows, then the rows, or the failure of one. A unit's rows are
/// counted from 0, in the order in which they are decoded. Unless a sink says otherwise, there is a
/// place for all rows, and they are forgotten.
///
/// **Threads.** One at a time; each worker has a sink of its own.
public interface RowSink {
  /// Returns whether it is known where a run's rows go. Until then no room is asked for.
  default boolean isPlaced(int run) {
    return true;
  }

  /// Waits until it is known where a run's rows go; false if they will never be wanted.
  default boolean awaitPlace(int run) {
    return true;
  }

  /// Records how many rows a run gives. Every worker on the run may call it.
  ///
  /// @param batches the rows of each batch; null where batches are full, across runs
  /// @param once run if it was not known before
  default void counted(int run, long rows, int @Nullable [] batches, Runnable once) {}

  /// Waits until a row may be given. Returns how many may be given from there on, at least 1; -1 if
  /// none will ever be wanted.
  int room(DecodeUnit unit, long row);

  /// Gets ready for at least one row. What it takes from them is valid until the next call.
  ///
  /// @throws IOException if a value cannot be delivered
  default void prepare(DecodeUnit unit, Rows rows) throws IOException {}

  /// Takes some of the rows that [#prepare] was given. Returns how many were taken; 0 if there is
  /// no room any more.
  ///
  /// @param from the first of these rows to take
  /// @param most how many there is room for, at least 1
  /// @param row the number of the first in the unit
  /// @throws IOException if a value cannot be delivered
  default int take(DecodeUnit unit, Rows rows, int from, int most, long row) throws IOException {
    return most;
  }

  default void flush() {}

  /// Says how far the worker is among the workers.
  default void tell(MemoryTurn turn, DecodeUnit unit, long row) {
    turn.at(unit.index(), row, unit.group().index());
  }

  /// Records that a row cannot be given.
  void fail(DecodeUnit unit, long row, Throwable cause);

  default void release() {}
}
