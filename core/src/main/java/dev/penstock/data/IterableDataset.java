package dev.penstock.data;

import java.util.Iterator;
import java.util.OptionalLong;

/// Rows that come one after another, such as those of a stream.
///
/// Every worker asks for an iterator of its own, on its own thread, and delivers what that gives:
/// if all of them give all rows, each row comes once for every worker. [WorkerInfo#current()] says
/// which worker asks.
///
/// An iterator that is `AutoCloseable` is closed when its worker is done with it.
///
/// **Threads.** [#iterator()] is called by several workers at once; an iterator is used by one.
///
/// @param <T> what a row is
public interface IterableDataset<T> extends Iterable<T> {
  /// Starts from the first row, or from the first one of the calling worker.
  ///
  /// @return the rows
  @Override
  Iterator<T> iterator();

  /// Returns how many rows there are over all workers, where that is known.
  ///
  /// @return empty if it is not known
  default OptionalLong size() {
    return OptionalLong.empty();
  }
}
