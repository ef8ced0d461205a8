package dev.penstock;

import java.util.Iterator;

/// What is delivered in one epoch, in order.
///
/// Closing it before its end stops the epoch; leaving it, the next epoch or [DataLoader#close()]
/// does that.
///
/// **Threads.** One at a time.
///
/// @param <T> what a batch is delivered as
public interface EpochIterator<T> extends Iterator<T>, AutoCloseable {
  /// Returns the number of the epoch.
  ///
  /// @return counted from 0
  long epoch();

  /// Returns whether there is another batch. Where the number of batches is not known beforehand,
  /// behind a filter for example, it waits until that shows.
  ///
  /// @return false at the end of the epoch, and once this is closed; true where the epoch was
  ///   stopped before its end otherwise, which [#next()] says
  /// @throws WorkerException if no batch came in the time of the loader's `timeout`
  /// @throws java.io.UncheckedIOException if the thread is interrupted; the wait may be repeated
  @Override
  boolean hasNext();

  /// Waits for the next batch and hands it over.
  ///
  /// @return the batch, or what the user's function made of it; to be closed by the caller, where
  ///   it can be closed
  /// @throws java.util.NoSuchElementException if there is none left
  /// @throws java.io.UncheckedIOException if a file is at fault
  /// @throws IllegalStateException if the loader was closed, a later epoch started, or a function
  ///   of the user failed
  /// @throws WorkerException if no batch came in the time of the loader's `timeout`; it may still
  ///   come, so ask again
  @Override
  T next();

  /// Stops the epoch. Calling it again, or after the end, does nothing.
  @Override
  void close();
}
