package dev.penstock;

import dev.penstock.batch.Batch;
import java.util.Iterator;

/// The batches of one epoch, in order.
///
/// **Ownership.** The caller closes every batch. Closing the iterator before its end stops the
/// epoch; leaving it, the next epoch or [DataLoader#close()] does that.
///
/// **Threads.** One at a time.
public interface BatchIterator extends Iterator<Batch>, AutoCloseable {
  /// Returns the number of the epoch.
  ///
  /// @return counted from 0
  long epoch();

  /// Waits for the next batch and hands it over.
  ///
  /// @return the batch, to be closed by the caller
  /// @throws java.util.NoSuchElementException if there is none left
  /// @throws java.io.UncheckedIOException if a file is at fault
  /// @throws IllegalStateException if the loader was closed, or a later epoch started
  @Override
  Batch next();

  /// Stops the epoch. Calling it again, or after the end, does nothing.
  @Override
  void close();
}
