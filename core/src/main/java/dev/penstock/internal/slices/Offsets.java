package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where the texts or lists of a copy end: 32-bit offsets, the first one 0.
record Offsets(Buffer ends) {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  MemorySegment segment() {
    return ends.segment();
  }

  /// Makes room behind the first `rows`. Row `i` ends at the integer `i + 1` of the memory.
  MemorySegment room(int added, int rows) {
    MemorySegment room = ends.grow((rows + (long) added + 1) * 4, (rows + 1L) * 4);
    if (rows == 0) {
      room.setAtIndex(INT, 0, 0);
    }
    return room;
  }

  /// Appends rows with the same end behind the first `rows`.
  void append(int added, int end, int rows) {
    MemorySegment room = room(added, rows);
    for (int i = 1; i <= added; i++) {
      room.setAtIndex(INT, rows + (long) i, end);
    }
  }
}
