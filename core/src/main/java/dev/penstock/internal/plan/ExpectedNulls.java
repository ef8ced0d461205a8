package dev.penstock.internal.plan;

import dev.penstock.schema.Field;
import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Warns at the start of the first epoch of nulls that would end it.
///
/// Only what the footers say that were read for the plan, nothing is read for this. Writers such as
/// pyarrow declare every column nullable, so a declaration counts only where no footer states a
/// number.
public final class ExpectedNulls {
  /// The most row groups to look at, over all columns: some 10 ms.
  private static final int LOOKS_MAX = 1 << 17;

  private static final int COLUMNS_MAX = 5;

  private ExpectedNulls() {}

  /// Returns the warning.
  ///
  /// @param columns columns of the files in which a null is an error that nobody asked for
  /// @param sources what is read
  /// @return a sentence for a log; empty if no nulls are expected
  public static Optional<String> warning(List<Field> columns, List<Source> sources) {
    List<String> found = new ArrayList<>();
    String example = "";
    int looks = LOOKS_MAX / Math.max(1, columns.size() * sources.size());
    for (Field column : columns) {
      StatedNulls nulls =
          sources.stream()
              .map(source -> StatedNulls.of(source.table(), source.pruning(), column.name(), looks))
              .reduce(StatedNulls::plus)
              .orElse(StatedNulls.NONE);
      String words = words(nulls);
      if (!words.isEmpty()) {
        example = found.isEmpty() ? Printable.of(column.name()) : example;
        found.add("column '" + Printable.of(column.name()) + "' " + words);
      }
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The first null will end the epoch, as there is no place for it: "
                + listed(found)
                + ". Use NullPolicy.fill() or NullPolicy.mask(), or leave the rows out by a filter"
                + " such as '"
                + example
                + " is not null'.");
  }

  private static String words(StatedNulls nulls) {
    if (nulls.count() > 0) {
      return "has "
          + (nulls.isWhole() ? "" : "at least ")
          + nulls.count()
          + (nulls.count() == 1 ? " null" : " nulls");
    }
    return !nulls.isStated() && nulls.isDeclared()
        ? "may have some, by its schema, and no statistics tell"
        : "";
  }

  private static String listed(List<String> found) {
    int more = found.size() - COLUMNS_MAX;
    return more <= 1
        ? String.join(", ", found)
        : String.join(", ", found.subList(0, COLUMNS_MAX)) + ", and " + more + " more columns";
  }
}
