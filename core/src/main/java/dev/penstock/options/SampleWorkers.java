package dev.penstock.options;

import dev.penstock.data.WorkerInfo;
import java.util.Objects;
import java.util.function.Consumer;

/// Which threads read and collate rows that are Java objects.
///
/// @param reading how many threads, how far ahead of the consumer, and how long that waits
/// @param init what every worker runs before its first row
/// @param persistent whether workers keep their random numbers and datasets from epoch to epoch
public record SampleWorkers(Reading reading, Consumer<WorkerInfo> init, boolean persistent) {
  /// No workers, as in torch.
  static final SampleWorkers DEFAULTS = new SampleWorkers(Reading.INLINE, _ -> {}, false);

  /// Throws [NullPointerException] if `reading` or `init` is null.
  public SampleWorkers {
    Objects.requireNonNull(reading, "reading must not be null.");
    Objects.requireNonNull(init, "workerInit must not be null.");
  }

  SampleWorkers withReading(Reading changed) {
    return new SampleWorkers(changed, init, persistent);
  }

  SampleWorkers withInit(Consumer<WorkerInfo> function) {
    return new SampleWorkers(reading, function, persistent);
  }

  SampleWorkers withPersistent(boolean on) {
    return new SampleWorkers(reading, init, on);
  }
}
