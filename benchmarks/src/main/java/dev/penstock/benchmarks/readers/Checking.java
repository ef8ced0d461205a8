package dev.penstock.benchmarks.readers;

import dev.penstock.benchmarks.readers.Table.Column;
import dev.penstock.benchmarks.readers.Table.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Sums all values that are delivered. Used in a scan that is not timed.
final class Checking implements Reader.Sink {
  private final List<Column> columns;
  private final ColumnSums sums;

  Checking(Table table) {
    columns = table.columns();
    sums = new ColumnSums(table);
  }

  ColumnSums sums() {
    return sums;
  }

  @Override
  public void accept(Buffers buffers) {
    for (int column = 0; column < columns.size(); column++) {
      for (int row = 0; row < buffers.rows(); row++) {
        add(buffers, column, columns.get(column).kind(), row);
      }
    }
    sums.addRows(buffers.rows());
  }

  private void add(Buffers buffers, int column, Kind kind, int row) {
    long index = sums.rows() + row;
    MemorySegment values = buffers.values(column);
    if (kind != Kind.TEXT && !buffers.isPresent(column, row)) {
      sums.addNull(column, index);
      return;
    }
    switch (kind) {
      case DOUBLE ->
          sums.add(column, index, values.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, row));
      case FLOAT ->
          sums.add(column, index, values.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, row));
      case INT ->
          sums.add(column, index, (long) values.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, row));
      case LONG -> sums.add(column, index, values.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, row));
      case TEXT -> sums.add(column, index, buffers.text(column, row));
      case VECTOR -> {
        for (int i = 0; i < Table.VECTOR; i++) {
          long place = (long) row * Table.VECTOR + i;
          float value = values.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, place);
          sums.add(column, index * Table.VECTOR + i, value);
        }
      }
    }
  }
}
