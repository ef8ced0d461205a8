package dev.penstock.internal.table;

import dev.penstock.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

public final class FilterPart {
  private FilterPart() {}

  /// Returns a filter of the wanted columns, named as in the filter, that is true wherever the
  /// given one is; empty if there is none.
  public static Optional<Filter> of(Filter filter, Predicate<String> isWanted) {
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
    parts.forEach(part -> of(part, isWanted).ifPresent(left::add));
    return left;
  }
}
