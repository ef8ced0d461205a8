package dev.penstock.internal.table;

import java.util.List;
import java.util.OptionalLong;

/// How many values a row of a column has according to the footers: an estimate for sizing memory,
/// not a guarantee.
///
/// @param uniform the number that every row seems to have, or 0 if rows differ or nothing is known
/// @param most approximately how many a row has, at least 1: the largest mean of any row group
public record ValuesPerRow(int uniform, int most) {
  public static final ValuesPerRow UNKNOWN = new ValuesPerRow(0, 1);

  public ValuesPerRow {
    if (uniform < 0 || most < 1) {
      throw new IllegalArgumentException(
          "Values of a row must be at least 0 and 1, got " + uniform + " and " + most);
    }
  }

  static ValuesPerRow of(List<TableFile> files, String column) {
    long uniform = -1;
    long most = 1;
    for (TableFile file : files) {
      FileStatistics statistics = file.statistics();
      for (int group = 0; group < file.rowGroups().size(); group++) {
        long rows = file.rowGroups().get(group).rowCount();
        OptionalLong stated = statistics.valueCount(group, column);
        if (rows > 0) {
          long values = Math.max(0, stated.orElse(0));
          long mean = Math.ceilDiv(values, rows);
          most = Math.max(most, mean);
          boolean even = values == mean * rows && (uniform < 0 || uniform == mean);
          uniform = even ? mean : 0;
        }
      }
    }
    return new ValuesPerRow(
        uniform > 0 && uniform <= Integer.MAX_VALUE ? (int) uniform : 0,
        (int) Math.min(most, Integer.MAX_VALUE));
  }
}
