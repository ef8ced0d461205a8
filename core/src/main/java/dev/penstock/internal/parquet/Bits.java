package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;

/// Bitmaps, least significant bit first. All ranges are in bits; buffers end with padding.
final class Bits {
  private Bits() {}

  /// Returns the bytes that `count` bits take, in whole words.
  static long bytes(long count) {
    return (count + 63) / 64 * 8;
  }

  /// Writes up to 64 bits at `at`. Bits before stay; those after become undefined, up to the end of
  /// the next word.
  static void append(MemorySegment bitmap, long at, long bits) {
    long word = at >>> 6 << 3;
    long old = bitmap.get(Raw.LONG, word) & ~(-1L << at);
    bitmap.set(Raw.LONG, word, old | (bits << at));
    // Two shifts, because a shift by 64 would shift by 0.
    bitmap.set(Raw.LONG, word + 8, bits >>> 1 >>> (63 - (at & 63)));
  }

  /// Writes `count` equal bits at `at`, like [#append]; `pattern` is 0 or -1.
  static void fill(MemorySegment bitmap, long at, long pattern, long count) {
    long first = Math.min(count, -at & 63);
    if (first > 0) {
      append(bitmap, at, pattern);
    }
    long word = (at + first) >>> 3;
    for (long done = first; done < count; done += 64, word += 8) {
      bitmap.set(Raw.LONG, word, pattern);
    }
  }

  /// Returns `count` bits, in `[1, 64]`, from `at`; higher bits are zero.
  static long get(MemorySegment bitmap, long at, int count) {
    long word = at >>> 6 << 3;
    int shift = (int) at & 63;
    long bits = bitmap.get(Raw.LONG, word) >>> shift;
    if (shift + count > 64) {
      bits |= bitmap.get(Raw.LONG, word + 8) << (64 - shift);
    }
    return bits & (-1L >>> (64 - count));
  }

  static int count(MemorySegment bitmap, long from, int count) {
    int ones = 0;
    for (int done = 0; done < count; done += 64) {
      ones += Long.bitCount(get(bitmap, from + done, Math.min(64, count - done)));
    }
    return ones;
  }

  /// Returns a bitmap whose bit 0 is bit `from`: a view where that is possible, else in `shifted`.
  static MemorySegment view(MemorySegment bitmap, long from, int count, Buffer shifted) {
    if ((from & 7) == 0) {
      return bitmap.asSlice(from >>> 3);
    }
    MemorySegment target = shifted.ensure(bytes(count));
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      target.set(Raw.LONG, done >>> 3, get(bitmap, from + done, part));
    }
    return target;
  }
}
