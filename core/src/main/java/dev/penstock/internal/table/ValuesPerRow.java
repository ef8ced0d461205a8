package dev.penstock.internal.table;

import dev.penstock.format.RowGroup;
import java.util.List;

/// How many values a row of a column has according to the first footers: an estimate for sizing
/// memory, not a guarantee.
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
    for (Means file : FileStatistics.hints(files, file -> Means.of(file, column))) {
      uniform = Means.joined(uniform, file.uniform);
      most = Math.max(most, file.most);
    }
    return new ValuesPerRow(
        uniform > 0 && uniform <= Integer.MAX_VALUE ? (int) uniform : 0,
        (int) Math.min(most, Integer.MAX_VALUE));
  }

  /// The means of the row groups of a file.
  ///
  /// @param uniform -1 without rows
  private record Means(long uniform, long most) {
    static Means of(FileStatistics file, String column) {
      long uniform = -1;
      long most = 1;
      List<RowGroup> groups = file.file().rowGroups();
      for (int group = 0; group < groups.size(); group++) {
        long rows = groups.get(group).rowCount();
        if (rows > 0) {
          long values = Math.max(0, file.valueCount(group, column).orElse(0));
          long mean = Math.ceilDiv(values, rows);
          most = Math.max(most, mean);
          uniform = joined(uniform, values == mean * rows ? mean : 0);
        }
      }
      return new Means(uniform, most);
    }

    private static long joined(long a, long b) {
      return a < 0 || a == b ? b : b < 0 ? a : 0;
    }
  }
}
