package dev.penstock.spi.format;

import java.io.IOException;
import java.util.List;

/// Runs a step for each of many items, many at once: steps that wait for stores, or parts of long
/// work on one file.
///
/// Code that starts threads passes it to code that must not.
public interface Concurrency {
  /// Has no threads: work stays with the calling thread, and [#each] throws an
  /// [IllegalStateException].
  Concurrency NONE =
      new Concurrency() {
        @Override
        public <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step) {
          throw new IllegalStateException("There is no other thread to take a step.");
        }
      };

  /// A step.
  ///
  /// @param <T> the type of the items
  /// @param <R> the type of the result
  interface Step<T, R> {
    /// Runs the step, on any thread.
    ///
    /// @param item the item
    /// @return the result
    /// @throws IOException if it fails
    R of(T item) throws IOException;
  }

  /// How a step ended.
  ///
  /// @param <R> the type of the result
  interface Outcome<R> {
    /// {@return the result of the step}
    ///
    /// @throws IOException if the step failed: the exception that it threw; unchecked exceptions
    ///   and errors are rethrown too
    R get() throws IOException;
  }

  /// Runs a step for each item, on any threads, and waits for all of them.
  ///
  /// @param <T> the type of the items
  /// @param <R> the type of the results
  /// @param items the items
  /// @param step the step
  /// @return an outcome for each item, in order
  <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step);
}
