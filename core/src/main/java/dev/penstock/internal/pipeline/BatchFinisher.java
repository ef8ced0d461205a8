package dev.penstock.internal.pipeline;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Shape;
import dev.penstock.batch.StringList;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.pipeline.ColumnPlan.ListPlan;
import dev.penstock.internal.pipeline.ColumnPlan.MatrixPlan;
import dev.penstock.internal.pipeline.ColumnPlan.TensorPlan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns a filled [PartialBatch] into a [Batch] of the wanted form. Called by the worker that
/// filled the last row, so that the consumer only takes what is ready.
final class BatchFinisher {
  private final BatchLayout layout;

  BatchFinisher(BatchLayout layout) {
    this.layout = layout;
  }

  /// Finishes a batch.
  ///
  /// @param filled a batch with no rows missing
  /// @param onClose run when the batch is closed, after its memory was given back
  Batch finish(PartialBatch filled, Runnable onClose) {
    Lease lease =
        new Lease(() -> {
          filled.slab.release();
          onClose.run();
        });
    Map<String, Object> columns = new LinkedHashMap<>();
    for (ColumnPlan column : layout.columns()) {
      switch (column) {
        case TensorPlan plan -> {
          Tensor values = tensor(filled, plan.dtype(), plan.offset(), lease);
          Tensor mask =
              plan.maskOffset() < 0 ? null : tensor(filled, DType.BOOL, plan.maskOffset(), lease);
          addTensor(plan, values, mask, columns);
        }
        case MatrixPlan plan -> columns.put(plan.name(), matrix(filled, plan, lease));
        case ListPlan plan -> columns.put(plan.name(), list(filled.lists[plan.index()]));
      }
    }
    if (layout.output() == OutputFormat.TENSOR) {
      return Batch.of(filled.rowCount, columns, lease);
    }
    // Arrays and lists are copies: the slab can serve the next batch at once.
    filled.slab.release();
    return Batch.of(filled.rowCount, columns, new Lease(onClose));
  }

  private void addTensor(
      TensorPlan plan, Tensor values, @Nullable Tensor mask, Map<String, Object> columns) {
    switch (layout.output()) {
      case TENSOR -> {
        columns.put(plan.name(), values);
        if (mask != null) {
          columns.put(BatchLayout.maskName(plan), mask);
        }
      }
      case ARRAY -> {
        columns.put(plan.name(), values.toArray());
        if (mask != null) {
          columns.put(BatchLayout.maskName(plan), mask.toArray());
        }
      }
      case MAP -> columns.put(plan.name(), TensorObjects.list(plan.field().type(), values, mask));
    }
  }

  private Object matrix(PartialBatch filled, MatrixPlan plan, Lease lease) {
    int width = plan.fields().size();
    MemorySegment memory =
        filled.memory().asSlice(plan.offset(), (long) filled.rowCount * width * 4);
    Tensor matrix = Tensor.of(DType.FLOAT32, Shape.of(filled.rowCount, width), memory, lease);
    return layout.output() == OutputFormat.TENSOR ? matrix : rows(matrix, width);
  }

  private Object rows(Tensor matrix, int width) {
    float[] values = (float[]) matrix.toArray();
    if (layout.output() == OutputFormat.ARRAY) {
      return values;
    }
    float[][] rows = new float[width == 0 ? 0 : values.length / width][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = Arrays.copyOfRange(values, row * width, (row + 1) * width);
    }
    return List.of(rows);
  }

  private Object list(@Nullable Object[] objects) {
    if (layout.output() == OutputFormat.ARRAY) {
      return objects;
    }
    return objects instanceof @Nullable String[] strings
        ? new StringList(strings)
        : Collections.unmodifiableList(Arrays.asList(objects));
  }

  private static Tensor tensor(PartialBatch filled, DType dtype, long offset, Lease lease) {
    long bytes = (long) filled.rowCount * dtype.bytes();
    return Tensor.of(
        dtype, Shape.of(filled.rowCount), filled.memory().asSlice(offset, bytes), lease);
  }
}
