package dev.penstock.internal.text;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The common part of columns that are built row by row: a type, room for rows, and which rows are
/// null.
public abstract class ColumnBuilder {
  private final DataType type;
  private final Buffer validity;
  private int capacity;
  private int nulls;

  protected ColumnBuilder(DataType type, ScratchMemory memory) {
    this.type = type;
    this.validity = new Buffer(memory);
  }

  public final DataType type() {
    return type;
  }

  /// Starts a new slice of `rows` rows, or about as many.
  public void begin(int rows) {
    nulls = 0;
    capacity = 0;
    room(rows);
  }

  /// Makes room for more rows than estimated.
  public final void room(int rows) {
    if (rows > capacity) {
      int kept = capacity;
      int wanted = Math.max(rows, (int) Math.min(Integer.MAX_VALUE, 2L * kept));
      grow(kept, wanted);
      if (nulls > 0) {
        growValidity(kept, wanted);
      }
      capacity = wanted;
    }
  }

  /// Makes room for the values of `rows` rows; those of the first `kept` have to stay.
  protected abstract void grow(int kept, int rows);

  public void setNull(int row) {
    if (nulls++ == 0) {
      growValidity(0, capacity);
    }
    MemorySegment bits = validity.segment();
    byte old = bits.get(Raw.BYTE, row >> 3);
    bits.set(Raw.BYTE, row >> 3, (byte) (old & ~(1 << (row & 7))));
  }

  /// Grows the validity; rows are present unless set to null.
  private void growValidity(int kept, int rows) {
    long keptBytes = (kept + 7L) / 8;
    long bytes = (rows + 7L) / 8;
    MemorySegment bits = validity.grow(bytes, keptBytes);
    bits.asSlice(keptBytes, bytes - keptBytes).fill((byte) 0xff);
  }

  /// Returns how many rows are null since [#begin].
  public final int nulls() {
    return nulls;
  }

  /// Returns one bit per row, or null if no row is null.
  protected final @Nullable MemorySegment validity() {
    return nulls == 0 ? null : validity.segment();
  }
}
