package dev.penstock.report;

import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// An epoch of a loader, or a setting that was measured: a column of the report's comparison.
///
/// @param name what it is called, such as `epoch 0` or `2 workers`
/// @param settings what differs from the other runs
/// @param isRecommended whether this setting is the one to take
/// @param epoch what was done, and when
/// @param order where the shuffle sent rows; empty if that was not measured
/// @param utilisation the share of the epoch in which an accelerator was busy, in `[0, 1]`; empty
///   if that was not measured
public record Run(
    String name,
    List<Option> settings,
    boolean isRecommended,
    EpochRecord epoch,
    Optional<OrderSample> order,
    OptionalDouble utilisation) {
  /// Copies the list.
  ///
  /// @throws IllegalArgumentException if the utilisation is not in `[0, 1]`
  public Run {
    settings = List.copyOf(settings);
    double busy = utilisation.orElse(0);
    if (!(busy >= 0 && busy <= 1)) {
      throw new IllegalArgumentException("Utilisation must be in [0, 1], got " + busy + ".");
    }
  }

  /// Makes the run of an epoch.
  ///
  /// @param epoch what was done
  /// @return the run, named by the epoch's number
  public static Run of(EpochRecord epoch) {
    return of("epoch " + epoch.stats().epoch(), epoch);
  }

  /// Makes the run of an epoch that is not recommended, and of which nothing else was measured.
  ///
  /// @param name what it is called
  /// @param epoch what was done
  /// @return the run
  public static Run of(String name, EpochRecord epoch) {
    return new Run(name, List.of(), false, epoch, Optional.empty(), OptionalDouble.empty());
  }

  /// Adds where the shuffle sent rows.
  ///
  /// @param sample the sample; empty if it was not measured
  /// @return the changed run
  public Run order(Optional<OrderSample> sample) {
    return new Run(name, settings, isRecommended, epoch, sample, utilisation);
  }

  LoaderStats stats() {
    return epoch.stats();
  }
}
