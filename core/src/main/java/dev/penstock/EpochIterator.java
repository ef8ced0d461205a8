package dev.penstock;

import java.util.Iterator;

/// The batches of one epoch, in order.
///
/// Closing it early stops the epoch. If it is left open, the next epoch or [DataLoader#close()]
/// stops it.
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
  /// for example with a filter, it waits for the answer.
  ///
  /// @return false at the end of the epoch, and once this is closed; true if something else stopped
  ///   the epoch early: then [#next()] throws the reason
  /// @throws WorkerException if no batch came within the loader's `timeout` @throws
  ///   java.io.UncheckedIOException if the thread is interrupted; the wait may be repeated
  @Override
  boolean hasNext();

  /// Returns whether the next batch is there already, so that [#next()] does not wait for it. Never
  /// waits.
  ///
  /// @return false if there is none, or nobody knows
  default boolean isReady() {
    return false;
  }

  /// Waits for the next batch and hands it over.
  ///
  /// @return the batch, or what the user's function made of it; the caller closes it, if it is
  ///   closeable
  /// @throws java.util.NoSuchElementException if there is none left
  /// @throws java.io.UncheckedIOException if a file cannot be read
  /// @throws IllegalStateException if the loader was closed, a later epoch started, or a function
  ///   of the user failed
  /// @throws WorkerException if no batch came within the loader's `timeout`; it may still come, so
  ///   ask again
  @Override
  T next();

  /// Stops the epoch. Calling it again, or after the end, does nothing.
  @Override
  void close();
}
