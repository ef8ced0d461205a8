package dev.penstock.data;

import java.util.Iterator;
import java.util.OptionalLong;

/// Rows that come one after another, such as those of a stream.
///
/// Every worker gets its own iterator, on its own thread, and delivers its rows: if each iterator
/// has all rows, each row comes once per worker. [WorkerInfo#current()] tells which worker is
/// asking.
///
/// An iterator that is `AutoCloseable` is closed when its worker is done with it.
///
/// **Threads.** [#iterator()] is called by several workers at once; an iterator is used by one.
///
/// @param <T> what a row is
public interface IterableDataset<T> extends Iterable<T> {
  /// {@return the rows from the first on; if workers share them, those of the calling worker}
  @Override
  Iterator<T> iterator();

  /// {@return the number of rows over all workers; empty if it is not known}
  default OptionalLong size() {
    return OptionalLong.empty();
  }
}
