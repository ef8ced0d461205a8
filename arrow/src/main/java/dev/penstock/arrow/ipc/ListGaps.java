package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.INT;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;

/// Drops the elements of null lists: Arrow allows them, and fixed-size lists always have them, but
/// slices do not.
///
/// **Ownership.** Owns the memory of its slices; each call reuses it.
final class ListGaps {
  private final ScratchBuffer values;
  private final ScratchBuffer validity;

  ListGaps(ScratchMemory memory) {
    this.values = new ScratchBuffer(memory);
    this.validity = new ScratchBuffer(memory);
  }

  /// Returns whether elements can be dropped: those of a fixed width can.
  static boolean canClose(IpcColumn element) {
    return element.layout() == IpcColumn.Layout.FIXED;
  }

  /// Drops elements.
  ///
  /// @param offsets where the lists start, and where the last one ends; updated so that null lists
  ///   have no elements
  ColumnSlice close(ColumnSlice elements, MemorySegment offsets, int count, IntPredicate isNull) {
    MemorySegment bits = elements.validity();
    int width = elements.type().byteWidth();
    MemorySegment target = values.ensure((long) width * elements.rowCount());
    MemorySegment present = validity.ensure((elements.rowCount() + 63) / 64 * 8L);
    if (bits != null) {
      present.fill((byte) 0);
    }
    int end = offsets.get(INT, 0);
    int to = 0;
    int nulls = 0;
    offsets.set(INT, 0, 0);
    for (int list = 0; list < count; list++) {
      int start = end;
      end = offsets.get(INT, 4L * list + 4);
      if (!isNull.test(list)) {
        int length = end - start;
        MemorySegment.copy(
            elements.values(),
            (long) width * start,
            target,
            (long) width * to,
            (long) width * length);
        if (bits != null) {
          nulls += length - copyBits(bits, start, length, present, to);
        }
        to += length;
      }
      offsets.set(INT, 4L * list + 4, to);
    }
    return ColumnSlice.fixed(elements.type(), to, nulls, nulls == 0 ? null : present, target);
  }

  /// Copies bits to a range that is still zero; returns how many are set.
  private static int copyBits(
      MemorySegment from, int start, int count, MemorySegment target, int to) {
    int set = 0;
    for (int i = 0; i < count; i++) {
      int bit = from.get(ValueLayout.JAVA_BYTE, (start + i) >> 3) >> (start + i & 7) & 1;
      int at = (to + i) >> 3;
      byte old = target.get(ValueLayout.JAVA_BYTE, at);
      target.set(ValueLayout.JAVA_BYTE, at, (byte) (old | bit << (to + i & 7)));
      set += bit;
    }
    return set;
  }
}
