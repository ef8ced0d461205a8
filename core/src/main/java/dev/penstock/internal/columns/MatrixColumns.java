package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullValueException;
import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.SelectedSlice;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Columns of a feature matrix as `float`s, some rows at a time.
///
/// A `float32` column without nulls is read where it was decoded; any other is cast into scratch
/// memory, with nulls replaced.
///
/// **Threads.** One at a time.
public final class MatrixColumns {
  private final MatrixPlan plan;
  private final int first;
  private final int[] sources;
  private final ScratchMemory memory;
  private final MemorySegment[] columns;
  private final @Nullable MemorySegment[] scratch;
  private final TensorNulls[] nulls;

  /// Takes columns `[from, to)` of a matrix, which are among the decoded ones.
  MatrixColumns(MatrixPlan plan, int from, int to, Schema schema, ScratchMemory memory) {
    this.plan = plan;
    this.first = from;
    this.memory = memory;
    this.sources =
        plan.fields().subList(from, to).stream()
            .mapToInt(field -> schema.indexOf(field.name()))
            .toArray();
    this.columns = new MemorySegment[sources.length];
    this.scratch = new MemorySegment[columns.length];
    this.nulls =
        plan.nulls().subList(from, to).stream()
            .map(each -> new TensorNulls(DType.FLOAT32, each))
            .toArray(TensorNulls[]::new);
  }

  public MatrixPlan plan() {
    return plan;
  }

  /// Returns the place of the first of the columns in the matrix.
  public int first() {
    return first;
  }

  public int width() {
    return columns.length;
  }

  /// Returns the values of each column in the next rows, valid until the next call.
  ///
  /// @throws IOException if a value is null but nulls are refused
  public MemorySegment[] floats(Rows rows) throws IOException {
    for (int j = 0; j < columns.length; j++) {
      ColumnSlice slice = rows.column(sources[j]);
      boolean inPlace = slice.validity() == null && isFloat32(slice.type());
      columns[j] = inPlace ? slice.values() : cast(slice, j, rows);
    }
    return columns;
  }

  /// Returns the values of each column in all rows of a slice; null if they have to be cast.
  public MemorySegment @Nullable [] floatsOfSlice(SelectedSlice rows) {
    for (int j = 0; j < columns.length; j++) {
      ColumnSlice slice = rows.all(sources[j]);
      if (slice.validity() != null || !isFloat32(slice.type())) {
        return null;
      }
      columns[j] = slice.values();
    }
    return columns;
  }

  private static boolean isFloat32(DataType type) {
    return type instanceof DataType.Floating(int bits) && bits == 32;
  }

  private MemorySegment cast(ColumnSlice slice, int j, Rows rows) throws IOException {
    int count = rows.count();
    MemorySegment target = scratch[j];
    if (target == null || target.byteSize() < count * 4L) {
      if (target != null) {
        memory.give(target);
      }
      target = memory.take(count * 4L);
      scratch[j] = target;
    }
    FloatCast.cast(slice.type(), slice.values(), count, target);
    String column = plan.fields().get(first + j).name();
    NullError error = NullError.in(rows, column, NullValueException::ofValue);
    nulls[j].apply(slice, 0, count, target, null, 0, error);
    return target;
  }

  public void close() {
    for (int j = 0; j < scratch.length; j++) {
      MemorySegment taken = scratch[j];
      if (taken != null) {
        memory.give(taken);
        scratch[j] = null;
      }
    }
  }
}
