package dev.penstock.spi.format;

import java.io.IOException;
import java.util.List;

/// Takes a step for each of many things, many at once: steps that wait for stores, and those that
/// are parts of a long work on one file.
///
/// Whoever starts threads gives it to those who may not.
public interface Concurrency {
  /// Takes no steps: for a work that is to be done by the thread that is at it.
  Concurrency NONE =
      new Concurrency() {
        @Override
        public <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step) {
          throw new IllegalStateException("There is no other thread to take a step.");
        }
      };

  /// What is done with one of them.
  ///
  /// @param <T> what it is done with
  /// @param <R> what comes of it
  interface Step<T, R> {
    /// Takes the step, on any thread.
    ///
    /// @param item what it is done with
    /// @return what comes of it
    /// @throws IOException if it fails
    R of(T item) throws IOException;
  }

  /// How a step ended.
  ///
  /// @param <R> what came of it
  interface Outcome<R> {
    /// Returns what came of it.
    ///
    /// @return the result
    /// @throws IOException if it failed, as the step threw it; also other exceptions and errors
    R get() throws IOException;
  }

  /// Takes the steps and waits for all of them.
  ///
  /// @param <T> what they are taken for
  /// @param <R> what comes of one
  /// @param items what they are taken for
  /// @param step the step
  /// @return an outcome for each, in order
  <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step);
}
