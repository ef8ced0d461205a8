package dev.penstock.internal.filter;

import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A test of 32-bit numbers for being in a range, like [KeyCheck.Range] in half the memory.
///
/// The values are first copied to an array, because the compiler vectorizes a simple loop over one
/// array, but not one that reads off-heap memory and writes an array.
final class IntRange {
  private static final int ROWS_MAX = 64 * KeyCheck.WORDS_MAX;
  private static final int HALF = ROWS_MAX / 2;

  /// For each value, its bit in a word of 32: 16 bits for values of the first half, and 16 for the
  /// values at the same places in the second half.
  private static final int[] BITS = new int[ROWS_MAX];

  static {
    for (int i = 0; i < ROWS_MAX; i++) {
      BITS[i] = 1 << (i % 16 + (i < HALF ? 0 : 16));
    }
  }

  // The key of a number is a signed integer in the same order.
  private final int turned; // the bits to flip in numbers with the highest bit set
  private final int moved; // the bits to flip in all numbers
  private final int first; // first key of the range
  private final int last;
  private final int[] values = new int[ROWS_MAX];
  private final int[] passed = new int[HALF];

  private IntRange(int turned, int moved, long from, long to) {
    this.turned = turned;
    this.moved = moved;
    this.first = (int) from ^ moved;
    this.last = (int) to ^ moved;
  }

  /// Returns the test, or null if the values have another width or none can be in the range.
  static @Nullable IntRange of(KeyForm form, KeyCheck check) {
    if (!(check instanceof KeyCheck.Range(long from, long to))) {
      return null;
    }
    return switch (form) {
      case INT32 -> of(0, 0, from, to, Integer.MIN_VALUE);
      case UINT32 -> of(0, Integer.MIN_VALUE, from, to, 0);
      case FLOAT32 -> of(Integer.MAX_VALUE, 0, from, to, Integer.MIN_VALUE);
      default -> null;
    };
  }

  private static @Nullable IntRange of(int turned, int moved, long from, long to, long least) {
    long first = Math.max(from, least);
    long last = Math.min(to, least + 0xffff_ffffL);
    return first <= last ? new IntRange(turned, moved, first, last) : null;
  }

  /// Tests `count` values of a slice from `row` on, at most 64 for each of [KeyCheck#WORDS_MAX].
  /// `bits` receives one bit for each value, set if it is in the range.
  void test(MemorySegment slice, long row, int count, long[] bits) {
    MemorySegment.copy(slice, Raw.INT, 4 * row, values, 0, count);
    compare(values, passed, turned, moved, first, last);
    join(passed, bits);
  }

  /// Keeps the bits of values in the range; each number has the bits of one value of each half.
  ///
  /// A value is in a range if clamping it to the range does not change it. This needs no branch,
  /// see [KeyCheck].
  private static void compare(
      int[] values, int[] passed, int turned, int moved, int first, int last) {
    for (int i = 0; i < HALF; i++) {
      int low = values[i] ^ ((values[i] >> 31) & turned) ^ moved;
      int high = values[i + HALF] ^ ((values[i + HALF] >> 31) & turned) ^ moved;
      int lowDiffers = Math.min(Math.max(low, first), last) ^ low;
      int highDiffers = Math.min(Math.max(high, first), last) ^ high;
      int lowIsOut = (lowDiffers | -lowDiffers) >> 31;
      int highIsOut = (highDiffers | -highDiffers) >> 31;
      passed[i] = (~lowIsOut & BITS[i]) | (~highIsOut & BITS[i + HALF]);
    }
  }

  private static void join(int[] passed, long[] bits) {
    int words = KeyCheck.WORDS_MAX / 2;
    for (int word = 0; word < words; word++) {
      int at = 64 * word;
      long a = join16(passed, at);
      long b = join16(passed, at + 16);
      long c = join16(passed, at + 32);
      long d = join16(passed, at + 48);
      bits[word] = (a & 0xffff) | (b & 0xffff) << 16 | (c & 0xffff) << 32 | d << 48;
      bits[word + words] =
          (a >>> 16 & 0xffff) | (b & 0xffff_0000L) | (c & 0xffff_0000L) << 16 | (d >>> 16) << 48;
    }
  }

  /// Unrolled by hand: the compiler does not vectorize such a short loop.
  private static int join16(int[] bits, int at) {
    return join8(bits, at) | join8(bits, at + 8);
  }

  private static int join8(int[] bits, int at) {
    return (bits[at] | bits[at + 1] | bits[at + 2] | bits[at + 3])
        | (bits[at + 4] | bits[at + 5] | bits[at + 6] | bits[at + 7]);
  }
}
