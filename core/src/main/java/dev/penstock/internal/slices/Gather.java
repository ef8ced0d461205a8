package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.ALL;
import static dev.penstock.internal.memory.Raw.INT;
import static dev.penstock.internal.memory.Raw.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/// Copies values of a fixed width: chosen ones next to each other, or neighbours to chosen places.
final class Gather {
  private Gather() {}

  /* Every access is inside a segment that was checked before the loop: the places of all chosen
   * values in the source or the target, and the range of the other. Memory on the heap has no
   * address and is accessed with checks.
   */

  /// Copies values of 4 bytes: `rows[from]` to `rows[to - 1]`, each less `base`.
  static void ints(
      MemorySegment source, int[] rows, int from, int to, int base, MemorySegment target, long at) {
    if (!source.isNative() || !target.isNative()) {
      for (int i = from; i < to; i++) {
        target.set(INT, at + (i - from) * 4L, source.get(INT, ((long) rows[i] - base) * 4));
      }
      return;
    }
    check(rows, from, to, base, source.byteSize() / 4);
    Objects.checkFromIndexSize(at, (to - from) * 4L, target.byteSize());
    long read = source.address() - 4L * base;
    long write = target.address() + at - from * 4L;
    try {
      for (int i = from; i < to; i++) {
        ALL.set(INT, write + i * 4L, ALL.get(INT, read + rows[i] * 4L));
      }
    } finally {
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }

  /// Copies values of 8 bytes, see [#ints].
  static void longs(
      MemorySegment source, int[] rows, int from, int to, int base, MemorySegment target, long at) {
    if (!source.isNative() || !target.isNative()) {
      for (int i = from; i < to; i++) {
        target.set(LONG, at + (i - from) * 8L, source.get(LONG, ((long) rows[i] - base) * 8));
      }
      return;
    }
    check(rows, from, to, base, source.byteSize() / 8);
    Objects.checkFromIndexSize(at, (to - from) * 8L, target.byteSize());
    long read = source.address() - 8L * base;
    long write = target.address() + at - from * 8L;
    try {
      for (int i = from; i < to; i++) {
        ALL.set(LONG, write + i * 8L, ALL.get(LONG, read + rows[i] * 8L));
      }
    } finally {
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(target);
    }
  }

  /// Copies values of 4 bytes the other way: the first to `places[0]`, the next to `places[1]`.
  static void scatterInts(MemorySegment source, int[] places, int count, MemorySegment target) {
    check(places, 0, count, 0, target.byteSize() / 4);
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

  /// Copies values of 8 bytes, see [#scatterInts].
  static void scatterLongs(MemorySegment source, int[] places, int count, MemorySegment target) {
    check(places, 0, count, 0, target.byteSize() / 8);
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

  /// Checks that `chosen[from]` to `chosen[to - 1]`, each less `base`, are in `[0, count)`.
  ///
  /// In 32 bits, so that several are checked at once: a place before the first is negative, and for
  /// a place after the last the difference is negative.
  private static void check(int[] chosen, int from, int to, int base, long count) {
    Objects.checkFromToIndex(from, to, chosen.length);
    int last = (int) Math.min(count, (long) Integer.MAX_VALUE - base) - 1;
    int wrong = 0;
    for (int i = from; i < to; i++) {
      int place = chosen[i] - base;
      wrong |= place | (last - place);
    }
    if (wrong < 0) {
      throw new IndexOutOfBoundsException("A chosen row is not among the " + count + " there are.");
    }
  }
}
