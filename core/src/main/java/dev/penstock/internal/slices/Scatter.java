package dev.penstock.internal.slices;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/// Copies neighbouring values of a fixed width to chosen places: the reverse of [Gather].
final class Scatter {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /// All memory as one segment of the global scope: no bounds, no liveness to check per access.
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Scatter() {}

  /* Every access is inside a segment that was checked before the loop, see Gather. */

  /// Copies values of 4 bytes: the first to `places[0]`, the next to `places[1]` and so on.
  static void ints(MemorySegment source, int[] places, int count, MemorySegment target) {
    Gather.check(places, 0, count, 0, target.byteSize() / 4);
    Objects.checkFromIndexSize(0, count * 4L, source.byteSize());
    if (!source.isNative() || !target.isNative()) {
      for (int i = 0; i < count; i++) {
        target.set(INT, places[i] * 4L, source.get(INT, i * 4L));
      }
      return;
    }
    long read = source.address();
    long write = target.address();
    try {
      for (int i = 0; i < count; i++) {
        ALL.set(INT, write + places[i] * 4L, ALL.get(INT, read + i * 4L));
      }
    } finally {
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }

  /// Copies values of 8 bytes, see [#ints].
  static void longs(MemorySegment source, int[] places, int count, MemorySegment target) {
    Gather.check(places, 0, count, 0, target.byteSize() / 8);
    Objects.checkFromIndexSize(0, count * 8L, source.byteSize());
    if (!source.isNative() || !target.isNative()) {
      for (int i = 0; i < count; i++) {
        target.set(LONG, places[i] * 8L, source.get(LONG, i * 8L));
      }
      return;
    }
    long read = source.address();
    long write = target.address();
    try {
      for (int i = 0; i < count; i++) {
        ALL.set(LONG, write + places[i] * 8L, ALL.get(LONG, read + i * 8L));
      }
    } finally {
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }
}
