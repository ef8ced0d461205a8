package dev.penstock.internal.slices;

import dev.penstock.spi.format.ColumnSlice;
import org.jspecify.annotations.Nullable;

/// Rows that are chosen from slices, before they are copied together.
public interface SelectedSlice {
  /// Returns the chosen rows, rising; null if all are.
  @Nullable Selection chosen();

  /// Returns a column with all rows of the slice.
  ColumnSlice all(int index);
}
