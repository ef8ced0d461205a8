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

  /// Returns false only if no row of a file matches.
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
