package dev.penstock.internal.compose;

import dev.penstock.internal.slices.Rows;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// The lists of a column in the rows of a window.
record Lists(Rows window, ColumnSlice slice, MemorySegment offsets) {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  static Lists of(Rows window, int column) {
    ColumnSlice slice = window.column(column);
    return new Lists(window, slice, Objects.requireNonNull(slice.offsets()));
  }

  int rowCount() {
    return window.count();
  }

  ColumnSlice elements() {
    return slice.children().getFirst();
  }

  int start(int row) {
    return offsets.getAtIndex(INT, row);
  }

  /// Returns how many elements each list has; a null list has none.
  int[] lengths() {
    int[] lengths = new int[rowCount()];
    for (int row = 0; row < lengths.length; row++) {
      lengths[row] = start(row + 1) - start(row);
    }
    return lengths;
  }

  String name(int row) {
    return window.origin(row).place();
  }
}
