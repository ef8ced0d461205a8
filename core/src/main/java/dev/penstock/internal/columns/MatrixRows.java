package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Rows that may have columns of a feature matrix side by side already.
public interface MatrixRows {
  /// Returns columns of a matrix.
  ///
  /// @param plan the matrix
  /// @param first the first of the columns, which one worker decodes together
  /// @return a `float` for each of them, row by row, the rows without gaps between; null where the
  ///   rows have columns only
  @Nullable MemorySegment matrix(MatrixPlan plan, int first);
}
