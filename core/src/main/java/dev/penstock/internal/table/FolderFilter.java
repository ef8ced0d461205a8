package dev.penstock.internal.table;

import dev.penstock.filter.Filter;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.schema.Schema;
import java.util.Optional;

/// The part of a filter that can be tested on a file's folders, before the file is opened.
///
/// Immutable; share it freely among threads.
public final class FolderFilter {
  private final Partitions partitions;
  private final Condition condition;

  private FolderFilter(Partitions partitions, Condition condition) {
    this.partitions = partitions;
    this.condition = condition;
  }

  /// Returns the part of a filter that looks at partition columns only.
  ///
  /// @param filter the filter, or empty
  /// @return the filter without the other columns
  /// @throws IllegalArgumentException if a partition column is compared with a value that its type
  ///   cannot hold
  public static FolderFilter of(Optional<Filter> filter, Partitions partitions) {
    Condition condition =
        filter
            .flatMap(wanted -> FilterPart.of(wanted, partitions::names))
            .map(part -> FilterBinder.bind(part, Schema.of(partitions.columns())))
            .orElse(Condition.always());
    return new FolderFilter(partitions, condition);
  }

  /// Returns whether rows of a file may match.
  ///
  /// @param file the listed file
  /// @return false only if no row matches
  public boolean mayMatch(FoundFile file) {
    return !Pruner.reduce(
            condition,
            column ->
                partitions.isGiven(file.partition(), column)
                    ? Pruner.constant(partitions.value(file.partition(), column))
                    : dev.penstock.spi.format.ColumnStatistics.UNKNOWN)
        .isNever();
  }
}
