package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.slices.Rows;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Where the rows go that one worker decodes.
///
/// First comes room for a unit's rows, then the rows, or the failure of one. A unit's rows are
/// counted from 0, in the order in which they are decoded.
///
/// **Threads.** One at a time; each worker has a sink of its own.
public interface RowSink {
  /// Returns whether it is known where a run's rows go. Until then no room is asked for.
  ///
  /// @param run the number of the run
  /// @return true if so
  boolean isPlaced(int run);

  /// Waits until it is known where a run's rows go.
  ///
  /// @param run the number of the run
  /// @return false if they will never be wanted
  boolean awaitPlace(int run);

  /// Takes how many rows a run gives. Every worker on the run may say it.
  ///
  /// @param run the number of the run
  /// @param batches the rows of each batch; null where batches are full, across runs
  /// @param once run if it was not known before
  void counted(int run, long rows, int @Nullable [] batches, Runnable once);

  /// Waits until a row may be given.
  ///
  /// @param unit what is decoded
  /// @return how many rows may be given from there on, at least 1; -1 if none will ever be wanted
  int room(DecodeUnit unit, long row);

  /// Gets ready for rows. What it takes from them is valid until the next call.
  ///
  /// @param unit what is decoded
  /// @param rows at least one row
  /// @throws IOException if a value cannot be delivered
  void prepare(DecodeUnit unit, Rows rows) throws IOException;

  /// Takes some of the rows that [#prepare] was given.
  ///
  /// @param unit what is decoded
  /// @param rows these rows
  /// @param from the first of them to take
  /// @param most how many there is room for, at least 1
  /// @param row the number of the first in the unit
  /// @return how many were taken; 0 if there is room no more
  /// @throws IOException if a value cannot be delivered
  int take(DecodeUnit unit, Rows rows, int from, int most, long row) throws IOException;

  /// Says that no more rows come for now.
  void flush();

  /// Says how far the worker is among the workers.
  ///
  /// @param turn who is told
  /// @param unit what is decoded
  /// @param row the next row
  void tell(MemoryTurn turn, DecodeUnit unit, long row);

  /// Takes that a row cannot be given.
  ///
  /// @param unit what is decoded
  /// @param cause why
  void fail(DecodeUnit unit, long row, Throwable cause);

  /// Gives working memory back.
  void release();
}
