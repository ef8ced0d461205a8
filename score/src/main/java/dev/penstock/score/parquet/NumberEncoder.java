package dev.penstock.score.parquet;

import dev.penstock.batch.DType;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/// Encodes booleans, numbers and times, one or a list of them a row.
final class NumberEncoder extends ColumnEncoder {
  private final DType dtype;

  private MemorySegment memory = MemorySegment.NULL;

  /// How many values a row has, where no offsets say it.
  private long length;

  /// Where each row's values start, and the end.
  private @Nullable MemorySegment offsets;

  NumberEncoder(OutputColumn column) {
    super(column);
    this.dtype = dtype(column.valueType());
  }

  @Override
  void take(int rows, Object values) {
    offsets = null;
    length = 1;
    if (column.isList() && values instanceof RaggedTensor ragged) {
      takeRagged(rows, ragged);
      return;
    }
    if (!(values instanceof Tensor tensor)) {
      throw misfit(values.getClass().getSimpleName(), expected(rows));
    }
    Shape shape = tensor.shape();
    boolean fits =
        shape.rank() > 0
            && shape.rank() <= 2
            && shape.dim(0) == rows
            && (column.isList() ? shape.rank() == 2 : shape.elementCount() == rows);
    if (!fits || tensor.dtype() != dtype) {
      throw misfit(tensor.dtype() + " " + shape, expected(rows));
    }
    length = shape.rank() == 2 ? shape.dim(1) : 1;
    memory = tensor.memory();
  }

  private void takeRagged(int rows, RaggedTensor ragged) {
    if (ragged.rowCount() != rows || ragged.values().dtype() != dtype) {
      throw misfit(
          "ragged " + ragged.values().dtype() + " of " + ragged.rowCount() + " rows",
          expected(rows));
    }
    offsets = ragged.offsets().memory();
    memory = ragged.values().memory();
  }

  private String expected(int rows) {
    return column.isList()
        ? dtype + " [" + rows + ", n], or a RaggedTensor of " + rows + " rows"
        : dtype + " " + Shape.of(rows);
  }

  @Override
  void release() {
    super.release();
    memory = MemorySegment.NULL;
    offsets = null;
  }

  @Override
  void writeRow(int row, ColumnWriter to) {
    if (!column.isList()) {
      put(row, 0, to);
      return;
    }
    long first = offsets == null ? row * length : offset(offsets, row);
    long end = offsets == null ? first + length : offset(offsets, row + 1);
    if (first == end) {
      to.writeNull(0, valueLevel - 1); // a list without elements
      return;
    }
    put(first, 0, to);
    for (long i = first + 1; i < end; i++) {
      put(i, 1, to);
    }
  }

  private static long offset(MemorySegment offsets, long row) {
    return offsets.get(ValueLayout.JAVA_LONG_UNALIGNED, row * 8);
  }

  private void put(long i, int repetition, ColumnWriter to) {
    switch (dtype) {
      case BOOL -> to.write(memory.get(ValueLayout.JAVA_BYTE, i) != 0, repetition, valueLevel);
      case INT8 -> to.write(memory.get(ValueLayout.JAVA_BYTE, i), repetition, valueLevel);
      case UINT8 -> to.write(memory.get(ValueLayout.JAVA_BYTE, i) & 0xFF, repetition, valueLevel);
      case INT16 -> to.write(shortAt(i), repetition, valueLevel);
      case UINT16 -> to.write(shortAt(i) & 0xFFFF, repetition, valueLevel);
      case INT32, UINT32 ->
          to.write(memory.get(ValueLayout.JAVA_INT_UNALIGNED, i * 4), repetition, valueLevel);
      case INT64, UINT64 ->
          to.write(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, i * 8), repetition, valueLevel);
      case FLOAT16 -> {
        short bits = shortAt(i);
        byte[] bytes = {(byte) bits, (byte) (bits >> 8)};
        to.write(Binary.fromConstantByteArray(bytes), repetition, valueLevel);
      }
      case FLOAT32 ->
          to.write(memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4), repetition, valueLevel);
      case FLOAT64 ->
          to.write(memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 8), repetition, valueLevel);
    }
  }

  private short shortAt(long i) {
    return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2);
  }

  /// Returns the type of elements that batches have for a column.
  private static DType dtype(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> DType.BOOL;
      case DataType.Int(int bits, boolean signed) ->
          DType.valueOf((signed ? "INT" : "UINT") + bits);
      case DataType.Floating(int bits) -> DType.valueOf("FLOAT" + bits);
      default -> type.byteWidth() == 4 ? DType.INT32 : DType.INT64; // dates and times
    };
  }
}
