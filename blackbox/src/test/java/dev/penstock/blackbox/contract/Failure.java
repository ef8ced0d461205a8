package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;

/// How an epoch ended before its time.
///
/// @param batches by batch, what was delivered before
/// @param thrown what was thrown then
public record Failure(List<Integer> batches, Throwable thrown) {
  /// How long a test may hang before it counts as hanging.
  public static final Duration HANG = Duration.ofSeconds(30);

  /// Reads an epoch that fails, with any number of workers, and asserts that it fails in one way
  /// and leaves nothing behind.
  public static AbstractThrowableAssert<?, ? extends Throwable> of(
      StructuredDataset dataset, LoaderOptions options) {
    return Assertions.assertThat(meet(dataset, options).thrown());
  }

  /// Reads an epoch that fails, see [#of].
  public static Failure meet(StructuredDataset dataset, LoaderOptions options) {
    Failure first = null;
    for (int workers : Workers.COUNTS) {
      Failure failure =
          assertTimeoutPreemptively(HANG, () -> epoch(dataset, options.workers(workers)));
      if (first == null) {
        first = failure;
      }
      assertThat(failure.thrown)
          .as("%s workers", workers)
          .hasSameClassAs(first.thrown)
          .hasMessage(first.thrown.getMessage());
      assertThat(failure.batches).as("batches with %s workers", workers).isEqualTo(first.batches);
    }
    return first;
  }

  private static Failure epoch(StructuredDataset dataset, LoaderOptions options) {
    DataLoader loader = DataLoader.of(dataset, options);
    Failure first;
    try (loader) {
      first = epoch(loader);
      loader.setEpoch(0);
      Failure again = epoch(loader);
      assertThat(again.thrown).as("when it is tried again").hasMessage(first.thrown.getMessage());
      assertThat(again.batches).as("when it is tried again").isEqualTo(first.batches);
    }
    assertThat(loader.stats().memory().bytes()).isZero();
    Leaks.assertNoThreads();
    return first;
  }

  private static Failure epoch(DataLoader loader) {
    List<Integer> batches = new ArrayList<>();
    Throwable thrown = null;
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          batches.add(batch.rowCount());
        }
      }
    } catch (RuntimeException e) {
      thrown = e;
    }
    assertThat(thrown).as("what the epoch ended with").isNotNull();
    return new Failure(batches, thrown);
  }
}
