package dev.penstock.internal.decode;

import dev.penstock.internal.slices.RowReader;
import dev.penstock.spi.format.ColumnSlice;

/// Reads rows for what is found out about them, and delivers none.
abstract class DrainingReader implements RowReader {
  @Override
  public final int count() {
    return 0;
  }

  @Override
  public final ColumnSlice column(int index) {
    throw new IndexOutOfBoundsException("Column " + index + " of none");
  }

  @Override
  public final long fileRow(int index) {
    throw new IndexOutOfBoundsException("Row " + index + " of none");
  }
}
