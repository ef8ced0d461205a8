package dev.penstock.internal.plan;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.table.FileStatistics;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Field;
import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/// Warns at the start of the first epoch of nulls that would end it.
///
/// Only what the footers say that were read for the plan, nothing is read for this. Writers such as
/// pyarrow declare every column nullable, so a declaration counts only where no footer states a
/// number.
public final class ExpectedNulls {
  private static final int COLUMNS_MAX = 5;

  private ExpectedNulls() {}

  /// How many nulls the footers of a table state in a column, in row groups that its filter leaves.
  ///
  /// @param count how many; there may be more if `isWhole` is false
  /// @param isWhole whether all row groups were looked at
  /// @param isStated whether any footer states a number
  /// @param isDeclared whether a file that does not state it allows nulls by its own schema
  private record StatedNulls(long count, boolean isWhole, boolean isStated, boolean isDeclared) {
    /// No nulls are possible.
    static final StatedNulls NONE = new StatedNulls(0, true, true, false);

    /// Returns what a footer states; [#NONE] where the filter lets no null pass.
    static StatedNulls of(FileStatistics file, Pruning pruning, String column) {
      if (!pruning.mayMatchNull(column)) {
        return NONE;
      }
      long count = 0;
      boolean isStated = false;
      boolean isSilent = false;
      List<RowGroup> groups = file.file().rowGroups();
      for (int group = 0; group < groups.size(); group++) {
        if (groups.get(group).rowCount() > 0 && pruning.isLeft(file.file(), group)) {
          OptionalLong stated = file.nullCount(group, column);
          isStated |= stated.isPresent();
          isSilent |= stated.isEmpty();
          count += stated.orElse(0);
        }
      }
      return new StatedNulls(count, true, isStated, isSilent && file.declaresNulls(column));
    }

    /// Adds up what the first footers of a table state of each column.
    static List<StatedNulls> of(Source source, List<Field> columns) {
      List<TableFile> files = source.table().files();
      List<List<StatedNulls>> found =
          FileStatistics.hints(
              files,
              file ->
                  columns.stream()
                      .map(column -> of(file, source.pruning(), column.name()))
                      .toList());
      StatedNulls start = new StatedNulls(0, found.size() == files.size(), false, false);
      return IntStream.range(0, columns.size())
          .mapToObj(i -> found.stream().map(file -> file.get(i)).reduce(start, StatedNulls::plus))
          .toList();
    }

    StatedNulls plus(StatedNulls other) {
      return new StatedNulls(
          count + other.count,
          isWhole && other.isWhole,
          isStated || other.isStated,
          isDeclared || other.isDeclared);
    }
  }

  /// Returns a sentence for a log; empty if no nulls are expected.
  ///
  /// @param columns columns of the files in which a null is an error that nobody asked for
  public static Optional<Advice> warning(List<Field> columns, List<Source> sources) {
    List<String> found = new ArrayList<>();
    String example = "";
    List<List<StatedNulls>> stated =
        sources.stream().map(source -> StatedNulls.of(source, columns)).toList();
    for (int i = 0; i < columns.size(); i++) {
      Field column = columns.get(i);
      int place = i;
      StatedNulls nulls =
          stated.stream()
              .map(source -> source.get(place))
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
            Advice.of(
                "The first null will end the epoch, as there is no place for it: %s. Use"
                    + " %s or %s, or leave the rows out by a filter such as '%s is not null'.",
                listed(found), Remedy.nulls("fill"), Remedy.nulls("mask"), example));
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
