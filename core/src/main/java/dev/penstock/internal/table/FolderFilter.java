package dev.penstock.internal.table;

import dev.penstock.filter.Filter;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The part of a filter that can be tested on a file's folders, before the file is opened.
/// Immutable; share it freely among threads.
public record FolderFilter(Partitions partitions, Condition condition) {
  /// Throws [IllegalArgumentException] if a partition column is compared with a value that its type
  /// cannot hold.
  public static FolderFilter of(Optional<Filter> filter, Partitions partitions) {
    Condition condition =
        filter
            .flatMap(wanted -> part(wanted, partitions::names))
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
                    : ColumnStatistics.UNKNOWN)
        .isNever();
  }

  /// Returns a filter of the wanted columns, named as in the filter, that is true wherever the
  /// given one is; empty if there is none.
  public static Optional<Filter> part(Filter filter, Predicate<String> isWanted) {
    // A fold without columns looks at rows.
    if (!filter.columns().isEmpty() && filter.columns().stream().allMatch(isWanted)) {
      return Optional.of(filter);
    }
    return switch (filter) {
      case Filter.And(List<Filter> parts) -> {
        List<Filter> left = parts(parts, isWanted);
        yield left.isEmpty()
            ? Optional.empty()
            : Optional.of(left.size() == 1 ? left.getFirst() : new Filter.And(left));
      }
      case Filter.Or(List<Filter> parts) -> {
        List<Filter> left = parts(parts, isWanted);
        yield left.size() < parts.size() ? Optional.empty() : Optional.of(new Filter.Or(left));
      }
      default -> Optional.empty();
    };
  }

  private static List<Filter> parts(List<Filter> parts, Predicate<String> isWanted) {
    List<Filter> left = new ArrayList<>();
    parts.forEach(part -> part(part, isWanted).ifPresent(left::add));
    return left;
  }
}
