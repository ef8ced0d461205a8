package dev.penstock.internal.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/// Turns columns of floats into rows of a matrix.
final class Transpose {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /// Rows per strip: 16 floats are one 64-byte cache line of a column.
  private static final int STRIP = 16;

  private Transpose() {}

  /// All memory as one segment of the global scope: no bounds, no liveness to check per access.
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /* Every access below is inside a segment that was checked before the loop: rows
   * [from, from + count) of each column, and all of the target. The segments are reachable, and
   * their memory is the calling worker's, until the method returns.
   *
   * A strip is 16 rows: one cache line is read from each column in turn and its 16 values are
   * written to 16 rows, which lie within the first-level cache for up to some hundred columns.
   * Values travel as ints: the bits of a NaN are not touched.
   */
  static void floats(MemorySegment[] columns, int from, int count, MemorySegment target) {
    int width = columns.length;
    long rowBytes = width * 4L;
    Objects.checkFromIndexSize(from, count, Integer.MAX_VALUE);
    Objects.checkFromIndexSize(0, count * rowBytes, target.byteSize());
    long targetAddress = target.address();
    for (MemorySegment column : columns) {
      Objects.checkFromIndexSize(from * 4L, count * 4L, column.byteSize());
    }
    try {
      int row = 0;
      for (; row + STRIP <= count; row += STRIP) {
        long sourceOffset = (from + row) * 4L;
        long rowAddress = targetAddress + row * rowBytes;
        for (int j = 0; j < width; j++) {
          strip(columns[j].address() + sourceOffset, rowAddress + j * 4L, rowBytes);
        }
      }
      for (; row < count; row++) {
        long sourceOffset = (from + row) * 4L;
        long rowAddress = targetAddress + row * rowBytes;
        for (int j = 0; j < width; j++) {
          ALL.set(INT, rowAddress + j * 4L, ALL.get(INT, columns[j].address() + sourceOffset));
        }
      }
    } finally {
      Reference.reachabilityFence(columns);
      Reference.reachabilityFence(target);
    }
  }

  private static void strip(long source, long target, long rowBytes) {
    for (int r = 0; r < STRIP; r++) {
      ALL.set(INT, target + r * rowBytes, ALL.get(INT, source + r * 4L));
    }
  }
}
