package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.Dictionary;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A part of a struct that the file lacks: one value wherever the struct is not null.
///
/// **Threads.** One at a time.
final class ConstantSlice implements AutoCloseable {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final DataType type;
  private final byte @Nullable [] value;
  private final ScratchBuffer values;
  private final ScratchBuffer zeros;
  private final List<ConstantSlice> children = new ArrayList<>();
  private int written;

  /// Makes it.
  ///
  /// @param type the type in the table
  /// @param value the value as [TableField] has it; empty for nulls, always empty for nested types
  ConstantSlice(DataType type, Optional<ByteString> value, ScratchMemory memory) {
    this.type = type;
    this.value = value.map(ByteString::toByteArray).orElse(null);
    this.values = new ScratchBuffer(memory);
    this.zeros = new ScratchBuffer(memory);
    List<DataType> parts =
        switch (type) {
          case DataType.Struct(List<Field> fields) -> fields.stream().map(Field::type).toList();
          case DataType.List(DataType element, boolean _) -> List.of(element);
          case DataType.Map map -> List.of(map.entry());
          default -> List.of();
        };
    parts.forEach(part -> children.add(new ConstantSlice(part, Optional.empty(), memory)));
  }

  /// Returns the value in every row, and nulls where the struct is null.
  ColumnSlice of(int rows, int nullCount, @Nullable MemorySegment validity) {
    byte[] bytes = value;
    if (bytes == null) {
      return nulls(rows);
    }
    write(bytes, rows);
    if (type.isVariableWidth()) {
      MemorySegment entry = values.grow(8L + bytes.length);
      Dictionary dictionary =
          new Dictionary(1, entry.asSlice(8, bytes.length), entry.asSlice(0, 8));
      return ColumnSlice.coded(type, rows, nullCount, validity, zeros(rows * 4L), dictionary);
    }
    return ColumnSlice.fixed(type, rows, nullCount, validity, values.grow(0));
  }

  private void write(byte[] bytes, int rows) {
    if (rows < written || (written > 0 && type.isVariableWidth())) {
      return;
    }
    int count = Math.max(rows, 1);
    if (type.isVariableWidth()) {
      MemorySegment target = values.ensure(8L + bytes.length);
      target.set(INT, 0, 0);
      target.set(INT, 4, bytes.length);
      MemorySegment.copy(bytes, 0, target, BYTE, 8, bytes.length);
    } else if (type instanceof DataType.Bool) {
      values.ensure(count / 8 + 8L).fill(bytes[0]);
    } else {
      MemorySegment target = values.ensure((long) count * bytes.length);
      for (int i = 0; i < count; i++) {
        MemorySegment.copy(bytes, 0, target, BYTE, (long) i * bytes.length, bytes.length);
      }
    }
    written = count;
  }

  private MemorySegment zeros(long bytes) {
    return zeros.ensure(bytes).fill((byte) 0);
  }

  private ColumnSlice nulls(int rows) {
    MemorySegment none = zeros((rows + 1L) * Math.max(4, type.byteWidth()) + 8);
    MemorySegment validity = rows == 0 ? null : none;
    return switch (type) {
      case DataType.Struct _ ->
          ColumnSlice.struct(
              type, rows, rows, validity, children.stream().map(part -> part.nulls(rows)).toList());
      case DataType.List _, DataType.Map _ ->
          ColumnSlice.list(type, rows, rows, validity, none, children.getFirst().nulls(0));
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ ->
          ColumnSlice.variable(type, rows, rows, validity, none, none);
      default -> ColumnSlice.fixed(type, rows, rows, validity, none);
    };
  }

  @Override
  public void close() {
    values.release();
    zeros.release();
    children.forEach(ConstantSlice::close);
    written = 0;
  }
}
