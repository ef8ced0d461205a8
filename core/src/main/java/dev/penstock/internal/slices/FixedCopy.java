package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.INT;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies of values of a fixed number of bytes.
final class FixedCopy extends ColumnCopy {
  private static final int NUMBERS_AT_ONCE = 4096;

  private final Buffer values = buffer();
  final int width;
  private int[] numbers = {};

  FixedCopy(DataType type, ScratchMemory memory) {
    super(type, List.of(), memory);
    this.width = type.byteWidth();
  }

  @Override
  void reserve(ColumnSlice some, int count) {
    reserve(count);
  }

  void reserve(int count) {
    values.grow((long) count * width, (long) rows() * width);
  }

  private MemorySegment room(int count) {
    return values.grow((rows() + (long) count) * width, (long) rows() * width);
  }

  @Override
  void takeMemory() {
    reserve(0);
  }

  @Override
  void appendValues(ColumnSlice slice, Selection chosen) {
    chosen.copyValues(slice.values(), width, room(chosen.count()), (long) rows() * width);
  }

  @Override
  void appendZeroValues(int count) {
    room(count).asSlice((long) rows() * width, (long) count * width).fill((byte) 0);
  }

  @Override
  void appendInOrder(ColumnSlice slice, RowOrder order) {
    if (isPlaceable()) {
      place(slice, 0, order.places(), slice.rowCount(), slice.rowCount());
    } else {
      super.appendInOrder(slice, order);
    }
  }

  boolean isPlaceable() {
    return width == 4 || width == 8;
  }

  /// Writes neighbouring rows of a slice to their places among `all` rows.
  void place(ColumnSlice slice, int first, int[] places, int count, int all) {
    if (rows() == 0) {
      reserve(all);
    }
    placeNulls(slice, first, places, count, all);
    MemorySegment source = slice.values().asSlice((long) first * width, (long) count * width);
    if (width == 4) {
      Gather.scatterInts(source, places, count, values.segment());
    } else {
      Gather.scatterLongs(source, places, count, values.segment());
    }
  }

  /// Appends 32-bit integers, each `step` more than the one before.
  void appendInts(int first, int step, int count) {
    MemorySegment target = room(count);
    for (int done = 0; done < count; done += NUMBERS_AT_ONCE) {
      int next = Math.min(NUMBERS_AT_ONCE, count - done);
      if (numbers.length == 0) {
        numbers = new int[NUMBERS_AT_ONCE];
      }
      for (int i = 0; i < next; i++) {
        numbers[i] = first + (done + i) * step;
      }
      MemorySegment.copy(numbers, 0, target, INT, (rows() + (long) done) * 4, next);
    }
    endPresent(count);
  }

  @Override
  ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
    return ColumnSlice.fixed(type, rows, nulls, validity, values.segment());
  }
}
