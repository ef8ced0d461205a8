package dev.penstock.internal.columns;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.HeldColumns;
import dev.penstock.batch.Lease;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.StringList;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.boxing.LateStrings;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.ColumnPlan.ObjectPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.columns.ColumnPlan.TensorPlan;
import dev.penstock.spi.batch.BatchForm;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns a filled [PartialBatch] into a [Batch] of the wanted form. Called by the worker that
/// filled the last row, so that the consumer only takes finished batches.
public final class BatchFinisher {
  private final BatchLayout layout;
  private final List<String> names;
  private final BatchForm.@Nullable Holder holder;

  public BatchFinisher(BatchLayout layout) {
    this.layout = layout;
    this.names = layout.columns().stream().map(ColumnPlan::name).toList();
    this.holder =
        layout.isFromModule() ? BatchForms.form(layout.output).holder(layout.schema) : null;
  }

  /// Finishes a complete batch. When it is closed, its memory is given back, then `onClose` runs.
  public Batch finish(PartialBatch filled, Runnable onClose) {
    return holder == null ? finishHere(filled, onClose) : finish(filled, holder, onClose);
  }

  private Batch finish(PartialBatch filled, BatchForm.Holder module, Runnable onClose) {
    List<ColumnSlice> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(filled.arrow(i).whole(filled.rowCount()));
    }
    HeldColumns held =
        module.hold(filled.rowCount(), columns, filled.arrowMemory(), filled::release);
    Lease lease =
        new Lease(() -> {
          try {
            held.close();
          } finally {
            onClose.run();
          }
        });
    return Batch.of(filled.rowCount(), names, held, lease);
  }

  private Batch finishHere(PartialBatch filled, Runnable onClose) {
    Lease lease =
        new Lease(() -> {
          filled.release();
          onClose.run();
        });
    Map<String, Object> columns = new LinkedHashMap<>();
    for (ColumnPlan column : layout.columns()) {
      switch (column) {
        case TensorPlan plan -> addTensor(filled, plan, lease, columns);
        case RaggedPlan plan -> addRagged(filled, plan, lease, columns);
        case MatrixPlan plan -> columns.put(plan.name(), matrix(filled, plan, lease));
        case ObjectPlan plan -> columns.put(plan.name(), objects(filled, plan));
        case ArrowPlan plan ->
            columns.put(plan.name(), filled.arrow(plan.index()).whole(filled.rowCount()));
      }
    }
    boolean copied = layout.output == OutputFormat.ARRAY || layout.output == OutputFormat.MAP;
    if (!copied) {
      return Batch.of(filled.rowCount(), columns, lease);
    }
    // Arrays and lists are copies: the memory is free for the next batch at once.
    filled.addObjectBytes(filled.bytes());
    filled.release();
    return Batch.of(filled.rowCount(), columns, new Lease(onClose));
  }

  private void addTensor(
      PartialBatch filled, TensorPlan plan, Lease lease, Map<String, Object> columns) {
    Tensor values = tensor(filled, plan.dtype(), plan.offset(), lease);
    columns.put(plan.name(), tensorOrArray(values));
    if (plan.nulls().isMasked()) {
      Tensor mask = tensor(filled, DType.BOOL, plan.maskOffset(), lease);
      columns.put(BatchLayout.maskName(plan), tensorOrArray(mask));
    }
  }

  private Object tensorOrArray(Tensor tensor) {
    return layout.output == OutputFormat.TENSOR ? tensor : tensor.toArray();
  }

  private void addRagged(
      PartialBatch filled, RaggedPlan plan, Lease lease, Map<String, Object> columns) {
    RaggedPart block = filled.ragged(plan.index()).whole(filled.rowCount());
    Tensor offsets = Tensor.of(DType.INT64, Shape.of(block.rows() + 1L), block.offsets(), lease);
    Tensor present =
        plan.nulls().maskOffset() < 0
            ? null
            : tensor(filled, DType.BOOL, plan.nulls().maskOffset(), lease);
    RaggedTensor lists = ragged(plan.dtype(), block.values(), offsets, lease);
    columns.put(plan.name(), raggedOrArrays(lists, present));
    if (present != null && plan.nulls().lists().isMasked()) {
      columns.put(BatchLayout.maskName(plan), tensorOrArray(present));
    }
    if (block.mask() != null) {
      RaggedTensor mask = ragged(DType.BOOL, block.mask(), offsets, lease);
      columns.put(BatchLayout.elementMaskName(plan), raggedOrArrays(mask, present));
    }
  }

  private static RaggedTensor ragged(
      DType dtype, MemorySegment elements, Tensor offsets, Lease lease) {
    Shape shape = Shape.of(elements.byteSize() / dtype.bytes());
    return RaggedTensor.of(Tensor.of(dtype, shape, elements, lease), offsets);
  }

  private Object raggedOrArrays(RaggedTensor lists, @Nullable Tensor present) {
    if (layout.output == OutputFormat.TENSOR) {
      return lists;
    }
    Class<?> row = lists.row(0).toArray().getClass();
    @Nullable Object[] rows = (@Nullable Object[]) Array.newInstance(row, lists.rowCount());
    for (int i = 0; i < rows.length; i++) {
      rows[i] = present == null || present.getBoolean(i) ? lists.row(i).toArray() : null;
    }
    return rows;
  }

  private Object matrix(PartialBatch filled, MatrixPlan plan, Lease lease) {
    int width = plan.fields().size();
    MemorySegment memory =
        filled.memory().asSlice(plan.offset(), (long) filled.rowCount() * width * 4);
    Tensor matrix = Tensor.of(DType.FLOAT32, Shape.of(filled.rowCount(), width), memory, lease);
    return layout.output == OutputFormat.TENSOR ? matrix : rows(matrix, width);
  }

  private Object rows(Tensor matrix, int width) {
    float[] values = (float[]) matrix.toArray();
    if (layout.output == OutputFormat.ARRAY) {
      return values;
    }
    float[][] rows = new float[width == 0 ? 0 : values.length / width][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = Arrays.copyOfRange(values, row * width, (row + 1) * width);
    }
    return List.of(rows);
  }

  private Object objects(PartialBatch filled, ObjectPlan plan) {
    @Nullable Object[] objects = filled.objects[plan.index()];
    if (objects.length != filled.rowCount()) {
      objects = Arrays.copyOf(objects, filled.rowCount());
    }
    if (layout.output == OutputFormat.ARRAY) {
      return objects;
    }
    return plan.isLate()
        ? new StringList(new LateStrings(objects))
        : Collections.unmodifiableList(Arrays.asList(objects));
  }

  private static Tensor tensor(PartialBatch filled, DType dtype, long offset, Lease lease) {
    long bytes = (long) filled.rowCount() * dtype.bytes();
    return Tensor.of(
        dtype, Shape.of(filled.rowCount()), filled.memory().asSlice(offset, bytes), lease);
  }
}
