package dev.penstock.spi.fields;

import static dev.penstock.spi.format.LittleEndian.LONG;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Makes the values of a [CountedColumn].
///
/// **Threads.** One at a time.
final class CountedSlice {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final CountedColumn column;
  private final ScratchBuffer values;
  private final ScratchBuffer none;

  CountedSlice(CountedColumn column, ScratchMemory memory) {
    this.column = column;
    this.values = new ScratchBuffer(memory);
    this.none = new ScratchBuffer(memory);
  }

  /// Returns the values of neighbouring rows.
  ///
  /// @param stored the file's values; null if it has no such column
  /// @param row the first row, in the file's own row numbers
  ColumnSlice of(@Nullable ColumnSlice stored, long row, int rows) {
    if (column.start().isEmpty()) {
      return stored != null ? stored : nulls(rows);
    }
    long step = column.step();
    long first = column.start().getAsLong() + row * step;
    MemorySegment target = values.ensure(8L * rows);
    for (int i = 0; i < rows; i++) {
      target.setAtIndex(LONG, i, first + i * step);
    }
    if (stored != null) {
      MemorySegment validity = stored.validity();
      for (int i = 0; i < rows; i++) {
        if (validity == null || (validity.get(BYTE, i >>> 3) >>> (i & 7) & 1) != 0) {
          target.setAtIndex(LONG, i, stored.values().getAtIndex(LONG, i));
        }
      }
    }
    return ColumnSlice.fixed(column.field().type(), rows, 0, null, target);
  }

  private ColumnSlice nulls(int rows) {
    MemorySegment zeros = none.ensure(8L * rows + 8).fill((byte) 0);
    return ColumnSlice.fixed(column.field().type(), rows, rows, rows == 0 ? null : zeros, zeros);
  }
}
