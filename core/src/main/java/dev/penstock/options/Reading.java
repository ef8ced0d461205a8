package dev.penstock.options;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.time.Duration;
import java.util.Objects;

/// Which threads make the batches, and how far ahead of the consumer.
///
/// @param workers the number of threads, 0 to do all work on the consumer's thread
/// @param autoWorkers whether fewer of them decode while that is enough, see
///   [LoaderOptions#autoWorkers()]
/// @param prefetchFactor how many finished batches each worker may be ahead, at least 1
/// @param timeout how long the consumer waits for a batch from the workers; zero for ever
public record Reading(int workers, boolean autoWorkers, int prefetchFactor, Duration timeout) {
  /// No workers, as in torch: for rows that are Java objects.
  static final Reading INLINE = new Reading(0, false, 2, Duration.ZERO);

  /// Throws [IllegalArgumentException] if `workers` or `timeout` is negative, `autoWorkers` is set
  /// without workers, or `prefetchFactor` is below 1.
  public Reading {
    if (workers < 0) {
      throw Advice.argumentError("%s must be 0 or more, got %s.", Remedy.name("workers"), workers);
    }
    if (autoWorkers && workers == 0) {
      throw new IllegalArgumentException("autoWorkers needs workers of at least 1.");
    }
    if (prefetchFactor < 1) {
      throw Advice.argumentError(
          "%s must be at least 1, got %s.", Remedy.name("prefetchFactor"), prefetchFactor);
    }
    Objects.requireNonNull(timeout, "timeout must not be null.");
    if (timeout.isNegative()) {
      throw Advice.argumentError(
          "%s must be zero or more, got %s.", Remedy.name("timeout"), timeout);
    }
  }

  Reading withWorkers(int count) {
    return new Reading(count, false, prefetchFactor, timeout);
  }

  /// Sets the number of threads to this process's processors, and lets fewer of them decode.
  Reading withAutoWorkers() {
    int processors = Runtime.getRuntime().availableProcessors();
    return new Reading(processors, true, prefetchFactor, timeout);
  }

  Reading withPrefetchFactor(int batches) {
    return new Reading(workers, autoWorkers, batches, timeout);
  }

  Reading withTimeout(Duration most) {
    return new Reading(workers, autoWorkers, prefetchFactor, most);
  }
}
