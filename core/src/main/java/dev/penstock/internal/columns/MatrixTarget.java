package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.slices.Rows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Columns of a feature matrix. [Transpose] writes them as `float`s side by side in each row; rows
/// that already have them so are copied.
final class MatrixTarget implements SliceTarget {
  private final MatrixPlan plan;
  private final MatrixColumns columns;
  private MemorySegment[] values = {};
  private @Nullable MemorySegment matrix;

  MatrixTarget(MatrixColumns columns) {
    this.plan = columns.plan();
    this.columns = columns;
  }

  @Override
  public void prepare(Rows rows) throws IOException {
    matrix = rows instanceof MatrixRows made ? made.matrix(plan, columns.first()) : null;
    if (matrix == null) {
      values = columns.floats(rows);
    }
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) {
    long rowBytes = plan.fields().size() * 4L;
    long width = columns.width() * 4L;
    long start = plan.offset() + to * rowBytes + columns.first() * 4L;
    MemorySegment target = batch.memory().asSlice(start, (count - 1) * rowBytes + width);
    if (matrix == null) {
      Transpose.floats(values, from, count, target, rowBytes);
    } else if (width == rowBytes) {
      MemorySegment.copy(matrix, from * width, target, 0, count * width);
    } else {
      for (int row = 0; row < count; row++) {
        MemorySegment.copy(matrix, (from + row) * width, target, row * rowBytes, width);
      }
    }
  }

  @Override
  public void close() {
    columns.close();
  }
}
