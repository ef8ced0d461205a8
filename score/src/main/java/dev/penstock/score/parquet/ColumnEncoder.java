package dev.penstock.score.parquet;

import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.parquet.column.ColumnWriter;
import org.jspecify.annotations.Nullable;

/// Encodes the values of one column, some rows at a time.
abstract class ColumnEncoder {
  final OutputColumn column;

  /// The definition level of a value.
  final int valueLevel;

  private @Nullable MemorySegment present;

  ColumnEncoder(OutputColumn column) {
    this.column = column;
    this.valueLevel = (column.nullable() ? 1 : 0) + (column.isList() ? 1 : 0);
  }

  static ColumnEncoder of(OutputColumn column) {
    return column.hasObjects() ? new ObjectEncoder(column) : new NumberEncoder(column);
  }

  /// Checks the form of values, and makes them those that are written.
  final void take(int rows, Values values) {
    present = values.present() == null ? null : presence(values.present(), rows);
    take(rows, values.values());
  }

  /// Writes rows `[from, end)` of the values taken.
  final void write(int from, int end, ColumnWriter to) {
    for (int row = from; row < end; row++) {
      if (!isNull(row)) {
        writeRow(row, to);
      } else if (column.nullable()) {
        to.writeNull(0, 0);
      } else {
        throw new UnfitRowException(
            column.name(), row, "has no value, but the column is not nullable.");
      }
    }
  }

  /// Forgets the values taken.
  void release() {
    present = null;
  }

  abstract void take(int rows, Object values);

  boolean isNull(int row) {
    return present != null && present.get(ValueLayout.JAVA_BYTE, row) == 0;
  }

  abstract void writeRow(int row, ColumnWriter to);

  final IllegalArgumentException misfit(Object found, String expected) {
    return new IllegalArgumentException(
        "Cannot write column '"
            + column.name()
            + "' of type "
            + column.type()
            + ": found "
            + found
            + " but expected "
            + expected
            + ".");
  }

  private MemorySegment presence(Tensor tensor, int rows) {
    if (tensor.dtype() != DType.BOOL || !tensor.shape().equals(Shape.of(rows))) {
      throw misfit("presence " + tensor.dtype() + " " + tensor.shape(), "BOOL " + Shape.of(rows));
    }
    return tensor.memory();
  }
}
