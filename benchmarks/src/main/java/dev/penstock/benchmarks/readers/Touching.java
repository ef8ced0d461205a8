package dev.penstock.benchmarks.readers;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Counts rows and reads the last byte of each column's buffer: what the timed scans deliver to.
final class Touching implements Reader.Sink {
  private final Table table;
  private final int columns;
  private long rows;
  private long touched;

  Touching(Table table) {
    this.table = table;
    this.columns = table.columns().size();
  }

  long rows() {
    return rows;
  }

  @Override
  public void accept(Buffers buffers) {
    rows += buffers.rows();
    for (int column = 0; column < columns; column++) {
      MemorySegment values = buffers.values(column);
      if (values.byteSize() > 0) {
        touched += values.get(ValueLayout.JAVA_BYTE, values.byteSize() - 1);
      }
    }
  }

  @Override
  public String toString() {
    return table + ", " + rows + " rows, " + touched;
  }
}
