package dev.penstock.data;

import java.util.Iterator;
import java.util.OptionalLong;

/// Rows that come one after another, such as those of a stream.
///
/// Every worker gets its own iterator, on its own thread, and delivers its rows: if each iterator
/// has all rows, each row comes once per worker. To deliver each row once, ask
/// [WorkerInfo#current()] in [#iterator()] which worker is calling, or use [Sharing].
///
/// Workers are threads and share the dataset, where torch's have a copy. A dataset that is changed
/// in a worker, by `workerInit` or by its iterators, has to implement [#copyForWorker()]. A loader
/// warns once if several workers read a shared dataset and nothing in it asks which one calls, and
/// if `workerInit` takes a shared dataset that is not a record.
///
/// An iterator that is `AutoCloseable` is closed when its worker is done with it, so files are
/// opened in [#iterator()].
///
/// **Threads.** [#iterator()] is called by several workers at once; an iterator is used by one.
///
/// @param <T> what a row is
public interface IterableDataset<T> extends Iterable<T> {
  /// {@return the rows from the first on; if workers share them, those of the calling worker}
  @Override
  Iterator<T> iterator();

  /// {@return the dataset that one worker reads, gives as [WorkerInfo#dataset()], and may change:
  /// this, or a copy}
  ///
  /// Called once for each worker when an epoch starts, with persistent workers when the first one
  /// starts, on the thread that starts it. By default all workers share this; a record needs no
  /// copy, because nobody can change it. A copy is not closed: open files in [#iterator()].
  default IterableDataset<T> copyForWorker() {
    return this;
  }

  /// {@return the number of rows over all workers; empty if it is not known}
  default OptionalLong size() {
    return OptionalLong.empty();
  }
}
