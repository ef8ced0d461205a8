package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Rows that may already have columns of a feature matrix side by side.
public interface MatrixSource {
  /// Returns neighbouring columns of a matrix.
  ///
  /// @param first the first of the columns, which one worker decodes together
  /// @return a `float` for each of them, row by row, without gaps; null if the rows are only stored
  ///   by column
  @Nullable MemorySegment matrix(MatrixPlan plan, int first);
}
