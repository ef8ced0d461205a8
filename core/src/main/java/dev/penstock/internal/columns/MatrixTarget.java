package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.ScatteredRows;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Columns of a feature matrix. [Transpose] writes them as `float`s side by side in each row; rows
/// that already have them so are copied.
final class MatrixTarget implements SliceTarget {
  private final MatrixPlan plan;
  private final MatrixColumns columns;
  private final Supplier<MatrixColumns> more;
  private final List<Slice> slices = new ArrayList<>();
  private MemorySegment[] values = {};
  private @Nullable MemorySegment matrix;
  private @Nullable ScatteredRows scattered;

  private static final class Slice {
    private final MatrixColumns columns;
    private MemorySegment[] values = {};

    private Slice(MatrixColumns columns) {
      this.columns = columns;
    }
  }

  /// The columns are closed with this; `more` makes the same, for further slices.
  MatrixTarget(MatrixColumns columns, Supplier<MatrixColumns> more) {
    this.plan = columns.plan();
    this.columns = columns;
    this.more = more;
  }

  @Override
  public void prepare(Rows rows) throws IOException {
    scattered = rows instanceof ScatteredRows each ? each : null;
    if (scattered != null) {
      prepareSlices(scattered);
      return;
    }
    matrix = rows instanceof MatrixSource made ? made.matrix(plan, columns.first()) : null;
    if (matrix == null) {
      values = columns.floats(rows);
    }
  }

  private void prepareSlices(ScatteredRows rows) throws IOException {
    while (slices.size() < rows.sliceCount()) {
      slices.add(new Slice(more.get()));
    }
    for (int number = 0; number < rows.sliceCount(); number++) {
      Rows slice = rows.slice(number);
      if (slice != null) {
        slices.get(number).values = slices.get(number).columns.floats(slice);
      }
    }
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) {
    long rowBytes = plan.fields().size() * 4L;
    long width = columns.width() * 4L;
    long start = plan.offset() + to * rowBytes + columns.first() * 4L;
    MemorySegment target = batch.memory().asSlice(start, (count - 1) * rowBytes + width);
    if (scattered != null) {
      copy(scattered, from, count, target, rowBytes);
    } else if (matrix == null) {
      Transpose.floats(values, from, count, target, rowBytes);
    } else if (width == rowBytes) {
      MemorySegment.copy(matrix, from * width, target, 0, count * width);
    } else {
      Transpose.copyRows(matrix.asSlice(from * width, count * width), count, target, rowBytes);
    }
  }

  private void copy(ScatteredRows rows, int from, int count, MemorySegment target, long rowBytes) {
    for (int number = 0; number < rows.sliceCount(); number++) {
      int[] places = rows.places(number);
      int begin = behind(places, rows.rowCount(number), from);
      int taken = behind(places, rows.rowCount(number), from + count) - begin;
      if (taken > 0) {
        MemorySegment[] own = slices.get(number).values;
        int first = rows.firstRow(number) + begin;
        Transpose.floats(own, first, places, begin, taken, from, target, rowBytes);
      }
    }
  }

  /// Returns how many of the first places are before one.
  private static int behind(int[] places, int count, int place) {
    int found = Arrays.binarySearch(places, 0, count, place);
    return found < 0 ? -found - 1 : found;
  }

  @Override
  public void close() {
    columns.close();
    slices.forEach(slice -> slice.columns.close());
  }
}
