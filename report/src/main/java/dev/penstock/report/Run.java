package dev.penstock.report;

import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import java.util.List;
import java.util.Optional;

/// An epoch of a loader, or a setting that was measured: a column of the report's comparison.
///
/// @param name what it is called, such as `epoch 0` or `2 workers`
/// @param settings what differs from the other runs
/// @param isRecommended whether this setting is the one to take
/// @param epoch what was done, and when
/// @param order where the shuffle sent rows; empty if that was not measured
public record Run(
    String name,
    List<Option> settings,
    boolean isRecommended,
    EpochRecord epoch,
    Optional<OrderSample> order) {
  /// Copies the list.
  public Run {
    settings = List.copyOf(settings);
  }

  /// Makes the run of an epoch.
  ///
  /// @param epoch what was done
  /// @return the run, named by the epoch's number
  public static Run of(EpochRecord epoch) {
    return new Run("epoch " + epoch.stats().epoch(), List.of(), false, epoch, Optional.empty());
  }

  /// Adds where the shuffle sent rows.
  ///
  /// @param sample the sample; empty if it was not measured
  /// @return the changed run
  public Run order(Optional<OrderSample> sample) {
    return new Run(name, settings, isRecommended, epoch, sample);
  }

  LoaderStats stats() {
    return epoch.stats();
  }
}
