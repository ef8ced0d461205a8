package dev.penstock.score;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Some rows of a batch, over its memory.
final class BatchRows {
  private BatchRows() {}

  /// Returns rows `[from, to)`, valid while the batch is open.
  static Batch of(Batch batch, int from, int to) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (String name : batch.names()) {
      columns.put(name, rows(name, batch.column(name), batch.rowCount(), from, to));
    }
    return Batch.of(to - from, columns, new Lease(() -> {}));
  }

  private static Object rows(String name, Object column, int rows, int from, int to) {
    return switch (column) {
      case Tensor tensor -> {
        long[] dims = tensor.shape().dims();
        long rowBytes = tensor.memory().byteSize() / rows;
        dims[0] = (long) to - from;
        yield Tensor.of(
            tensor.dtype(),
            Shape.of(dims),
            tensor.memory().asSlice(from * rowBytes, dims[0] * rowBytes));
      }
      case List<?> list -> list.subList(from, to);
      case ColumnSlice slice -> SliceRows.of(slice, from, to - from);
      case RaggedTensor lists -> lists(lists, from, to);
      default -> throw new IllegalStateException("No rows of column '" + name + "'.");
    };
  }

  /// Returns some of the lists; where each starts is copied.
  private static RaggedTensor lists(RaggedTensor lists, int from, int to) {
    long[] offsets = new long[to - from + 1];
    long first = lists.offsets().getLong(from);
    for (int row = 0; row < offsets.length; row++) {
      offsets[row] = lists.offsets().getLong(from + row) - first;
    }
    long count = offsets[to - from];
    DType dtype = lists.values().dtype();
    MemorySegment values =
        lists.values().memory().asSlice(first * dtype.bytes(), count * dtype.bytes());
    return RaggedTensor.of(Tensor.of(dtype, Shape.of(count), values), Tensor.of(offsets));
  }
}
