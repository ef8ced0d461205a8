package dev.penstock.internal.dataset;

import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What a plan is to have beside the files and their row groups.
///
/// @param statistics the columns whose statistics it has
/// @param condition the filter whose matches it has, and how its columns are read; empty without
/// @param count finds the matches, by reading rows
record PlanWishes(List<String> statistics, String condition, Supplier<Matches> count) {
  static final PlanWishes NONE = new PlanWishes(List.of(), "", () -> Matches.NONE);

  /// Returns the matches of each file; none without a filter.
  List<Optional<RowSet>> matches(List<TableFile> files) {
    if (condition.isEmpty()) {
      return List.of();
    }
    Matches matches = count.get();
    return files.stream().map(file -> Optional.of(matches.of(file))).toList();
  }
}
