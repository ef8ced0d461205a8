package dev.penstock.internal.columns;

import dev.penstock.internal.slices.Validity;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Copies and counts bits, Arrow's validity and booleans: bit `i % 8` of byte `i / 8`.
///
/// **Threads.** Several threads may write different bits of one word: words that may be shared are
/// changed atomically. So all bits must be clear before the first write, and a bit that is written
/// twice must have the same value both times.
final class BitCopy {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHARED = WORD.varHandle();

  private BitCopy() {}

  /// Returns the size of some bits in whole words, which [#or] needs.
  static long bytes(long bits) {
    return Math.ceilDiv(bits, 64L) * 8;
  }

  /// Copies bits to a place where all bits are clear.
  ///
  /// @param source the bits; null when all are set
  /// @param target where they go, in whole words, 8-byte aligned
  static void or(
      @Nullable MemorySegment source, int from, int count, MemorySegment target, long to) {
    int done = 0;
    while (done < count) {
      long place = to + done;
      int shift = (int) (place & 63);
      int length = Math.min(64 - shift, count - done);
      long bits = -1L >>> (64 - length);
      if (source != null) {
        bits &= ~Validity.nulls(source, from + done, length);
      }
      long at = place >>> 6 << 3;
      if (length == 64) {
        target.set(WORD, at, bits);
      } else {
        long _ = (long) SHARED.getAndBitwiseOr(target, at, bits << shift);
      }
      done += length;
    }
  }

  /// Counts how many of the first `count` bits are set; `bits` has whole words.
  static int count(MemorySegment bits, int count) {
    int set = 0;
    for (int i = 0; i < count; i += 64) {
      long word = bits.get(WORD, i >>> 3);
      int left = count - i;
      set += Long.bitCount(left >= 64 ? word : word & (-1L >>> (64 - left)));
    }
    return set;
  }
}
