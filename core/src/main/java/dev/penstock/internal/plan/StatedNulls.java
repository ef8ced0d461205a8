package dev.penstock.internal.plan;

import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import java.util.OptionalLong;

/// How many nulls the footers of a table state in a column, in row groups that its filter leaves.
///
/// @param count how many; there may be more if `isWhole` is false
/// @param isWhole whether all row groups were looked at
/// @param isStated whether any footer states a number
/// @param isDeclared whether a file that does not state it allows nulls by its own schema
public record StatedNulls(long count, boolean isWhole, boolean isStated, boolean isDeclared) {
  /// No nulls are possible.
  public static final StatedNulls NONE = new StatedNulls(0, true, true, false);

  /// Adds up what the footers state.
  ///
  /// @param pruning what its filter leaves
  /// @param looks the most row groups to look at: a lake has millions
  /// @return the numbers; [#NONE] where the filter lets no null pass
  public static StatedNulls of(Table table, Pruning pruning, String column, int looks) {
    if (!pruning.mayMatchNull(column)) {
      return NONE;
    }
    long count = 0;
    boolean isStated = false;
    boolean isDeclared = false;
    int left = looks;
    for (TableFile file : table.files()) {
      boolean isSilent = false;
      int groups = file.rowGroups().size();
      for (int group = 0; group < groups && left > 0; group++) {
        if (file.rowGroups().get(group).rowCount() > 0 && pruning.isLeft(file, group)) {
          left--;
          OptionalLong stated = file.statistics().nullCount(group, column);
          isStated |= stated.isPresent();
          isSilent |= stated.isEmpty();
          count += stated.orElse(0);
        }
      }
      isDeclared |= isSilent && file.statistics().declaresNulls(column);
      if (left == 0) {
        return new StatedNulls(count, false, isStated, isDeclared);
      }
    }
    return new StatedNulls(count, true, isStated, isDeclared);
  }

  /// Adds the numbers of another table.
  ///
  /// @return those of both
  public StatedNulls plus(StatedNulls other) {
    return new StatedNulls(
        count + other.count,
        isWhole && other.isWhole,
        isStated || other.isStated,
        isDeclared || other.isDeclared);
  }
}
