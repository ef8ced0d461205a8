package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Rows that may already have columns of a feature matrix side by side.
public interface MatrixSource {
  /// Returns the columns of a matrix that one worker decodes, from `first` on: `float`s, row by
  /// row, without gaps. Null if the rows are only stored by column.
  @Nullable MemorySegment matrix(MatrixPlan plan, int first);
}
