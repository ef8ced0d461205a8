package dev.penstock.options;

import dev.penstock.data.WorkerInfo;
import java.util.Objects;
import java.util.function.Consumer;

/// Which threads read and collate rows that are Java objects.
///
/// @param reading how many threads, how far ahead of the consumer, and how long that waits
/// @param prefetches whether the prefetch factor was set, which needs workers; false for the
///   default
/// @param init what every worker runs before its first row
/// @param persistent whether workers keep their random numbers from epoch to epoch
public record SampleWorkers(
    Reading reading, boolean prefetches, Consumer<WorkerInfo> init, boolean persistent) {
  /// No workers, as in torch.
  static final SampleWorkers DEFAULTS = new SampleWorkers(Reading.INLINE, false, _ -> {}, false);

  /// Throws [NullPointerException] if `reading` or `init` is null.
  public SampleWorkers {
    Objects.requireNonNull(reading, "reading must not be null.");
    Objects.requireNonNull(init, "workerInit must not be null.");
  }

  SampleWorkers withReading(Reading changed) {
    return new SampleWorkers(changed, prefetches, init, persistent);
  }

  SampleWorkers withPrefetchFactor(int batches) {
    return new SampleWorkers(reading.withPrefetchFactor(batches), true, init, persistent);
  }

  SampleWorkers withInit(Consumer<WorkerInfo> function) {
    return new SampleWorkers(reading, prefetches, function, persistent);
  }

  SampleWorkers withPersistent(boolean on) {
    return new SampleWorkers(reading, prefetches, init, on);
  }
}
