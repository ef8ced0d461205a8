package dev.penstock.avro;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Reads values of one type, one after another, and gathers them in Arrow's layout.
///
/// **Ownership.** Owns the memory of its slice, which is valid until [#clear()].
abstract class Node {
  static final ValueLayout.OfLong LONG = LittleEndian.LONG;
  static final ValueLayout.OfInt INT = LittleEndian.INT;

  final DataType type;
  int count;
  private final ScratchBuffer validity;
  private int nulls;

  Node(DataType type, ScratchMemory memory) {
    this.type = type;
    this.validity = new ScratchBuffer(memory);
  }

  /// Reads a value and adds it.
  final void read(Input in) {
    add(in);
    if (nulls > 0) {
      mark(count, true);
    }
    count++;
  }

  /// Adds a null, which takes a place like any value.
  final void addNull() {
    addNothing();
    if (nulls == 0) { // All earlier values are present and were not recorded.
      for (int row = 0; row < count; row++) {
        mark(row, true);
      }
    }
    nulls++;
    mark(count, false);
    count++;
  }

  private void mark(int row, boolean present) {
    MemorySegment bits = validity.grow((row >> 3) + 1L);
    int before =
        (row & 7) == 0 ? 0 : bits.get(ValueLayout.JAVA_BYTE, row >> 3) & ((1 << (row & 7)) - 1);
    bits.set(ValueLayout.JAVA_BYTE, row >> 3, (byte) (before | (present ? 1 << (row & 7) : 0)));
  }

  /// Records the type of the next value, in a union of several types.
  void choose(int member) {}

  /// Reads a value into place `count`.
  abstract void add(Input in);

  /// Leaves place `count` empty, but readable.
  abstract void addNothing();

  /// Returns the gathered values.
  abstract ColumnSlice slice();

  @Nullable MemorySegment bits() {
    return nulls == 0 ? null : validity.grow(1);
  }

  int nulls() {
    return nulls;
  }

  /// Discards the gathered values.
  void clear() {
    count = 0;
    nulls = 0;
  }
}
