package dev.penstock.internal.slices;

import dev.penstock.spi.format.ColumnSlice;
import org.jspecify.annotations.Nullable;

/// Rows that are chosen from slices, before they are copied together.
public interface ChosenRows {
  /// Returns which rows of the slice are chosen.
  ///
  /// @return their places in it, rising, as many as there are rows; more may follow. Null if all
  ///   are
  int @Nullable [] chosen();

  /// Returns a column with all rows of the slice.
  ///
  /// @param index the column
  /// @return its values
  ColumnSlice all(int index);
}
