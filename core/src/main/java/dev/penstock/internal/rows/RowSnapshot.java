package dev.penstock.internal.rows;

import dev.penstock.internal.memory.Allocation;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies of rows, by columns, in one piece of off-heap memory of exactly their size.
///
/// **Ownership.** Owns its memory until [#free()].
///
/// **Threads.** Read by any number at once.
record RowSnapshot(Allocation memory, List<ColumnSlice> columns) {
  private static final long ALIGNMENT = 64;

  /// Returns how many bytes copies of columns take. The columns have offsets from 0 on, and no
  /// codes.
  static long bytes(List<ColumnSlice> columns) {
    Packer packer = new Packer(null);
    columns.forEach(packer::pack);
    return Math.max(ALIGNMENT, packer.used);
  }

  /// Copies columns, which take [#bytes].
  static RowSnapshot of(List<ColumnSlice> columns, long bytes, MemoryMeter meter) {
    Allocation memory = new Allocation(meter, bytes);
    Packer packer = new Packer(memory.segment());
    return new RowSnapshot(memory, columns.stream().map(packer::pack).toList());
  }

  long bytes() {
    return memory.segment().byteSize();
  }

  void free() {
    memory.free();
  }

  /// Copies columns one after another; without memory it only counts.
  private static final class Packer {
    private final @Nullable MemorySegment memory;
    private long used;

    Packer(@Nullable MemorySegment memory) {
      this.memory = memory;
    }

    ColumnSlice pack(ColumnSlice slice) {
      DataType type = slice.type();
      int rows = slice.rowCount();
      int nulls = slice.nullCount();
      MemorySegment bits = slice.validity();
      MemorySegment validity = bits == null ? null : take(bits, (rows + 7L) / 8);
      return switch (type) {
        case DataType.List _, DataType.Map _ ->
            ColumnSlice.list(
                type, rows, nulls, validity, offsets(slice), pack(slice.children().getFirst()));
        case DataType.Struct _ ->
            ColumnSlice.struct(
                type, rows, nulls, validity, slice.children().stream().map(this::pack).toList());
        case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ -> {
          MemorySegment offsets = Objects.requireNonNull(slice.offsets());
          long end = rows == 0 ? 0 : offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, rows);
          yield ColumnSlice.variable(
              type, rows, nulls, validity, take(slice.values(), end), offsets(slice));
        }
        case DataType.Bool _ ->
            ColumnSlice.fixed(type, rows, nulls, validity, take(slice.values(), (rows + 7L) / 8));
        default ->
            ColumnSlice.fixed(
                type, rows, nulls, validity, take(slice.values(), (long) rows * type.byteWidth()));
      };
    }

    private MemorySegment offsets(ColumnSlice slice) {
      int rows = slice.rowCount();
      return take(Objects.requireNonNull(slice.offsets()), rows == 0 ? 0 : (rows + 1L) * 4);
    }

    private MemorySegment take(MemorySegment source, long bytes) {
      long at = used;
      used += Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
      if (memory == null) {
        return source;
      }
      MemorySegment.copy(source, 0, memory, at, bytes);
      return memory.asSlice(at, bytes);
    }
  }
}
