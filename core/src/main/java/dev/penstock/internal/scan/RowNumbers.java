package dev.penstock.internal.scan;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.table.ColumnSource;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The numbers of rows, as a column.
final class RowNumbers {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final long first;
  private final @Nullable RowSet live;
  private final Buffer values;
  private int[] offsets = {};

  /// `first` is the number of the file's first row; all rows are live if nothing says which.
  RowNumbers(long first, @Nullable RowSet live, ScratchMemory memory) {
    this.first = first;
    this.live = live;
    this.values = new Buffer(memory);
  }

  /// Returns the numbers of live rows, from `row` on, counted among these; they are there until the
  /// next call.
  ColumnSlice slice(long row, int count) {
    MemorySegment target = values.ensure(8L * count);
    if (live == null || count == 0) {
      for (int i = 0; i < count; i++) {
        target.set(LONG, 8L * i, first + row + i);
      }
    } else {
      long start = live.row(row);
      int stored = (int) (live.row(row + count - 1) + 1 - start);
      if (offsets.length < stored + RowSet.ROOM) {
        offsets = new int[stored + RowSet.ROOM];
      }
      live.between(start, start + stored, offsets);
      for (int i = 0; i < count; i++) {
        target.set(LONG, 8L * i, first + start + offsets[i]);
      }
    }
    return ColumnSlice.fixed(ColumnSource.RowNumbers.TYPE, count, 0, null, target);
  }

  void close() {
    values.release();
  }
}
