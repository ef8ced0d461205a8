package dev.penstock.internal.slices;

import dev.penstock.spi.format.ColumnSlice;
import org.jspecify.annotations.Nullable;

/// Rows that are chosen from slices, before they are copied together.
public interface SelectedSlice {
  /// Returns the places of the chosen rows in the slice, rising, as many as there are rows; more
  /// may follow. Null if all are chosen.
  int @Nullable [] chosen();

  /// Returns a column with all rows of the slice.
  ColumnSlice all(int index);
}
