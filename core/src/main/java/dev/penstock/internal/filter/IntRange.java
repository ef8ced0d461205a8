package dev.penstock.internal.filter;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A test of 32-bit numbers for being in a range: what [KeyCheck.Range] is, in half the memory.
///
/// The values are first copied to an array, because the compiler makes vectors of a simple loop
/// over one array, and not of one that reads memory outside of the heap and writes an array.
final class IntRange {
  private static final int ROWS_MAX = 64 * KeyCheck.WORDS_MAX;

  /// For each value its bit in a word of 32.
  private static final int[] BITS = new int[ROWS_MAX];

  static {
    for (int i = 0; i < ROWS_MAX; i++) {
      BITS[i] = 1 << i;
    }
  }

  private final int turned; // the bits of a negative number that are turned around for its key
  private final int first; // of the range
  private final int span; // unsigned: how far its last value is from the first
  private final int[] values = new int[ROWS_MAX];

  private IntRange(boolean floating, long from, long to) {
    this.turned = floating ? Integer.MAX_VALUE : 0;
    this.first = (int) from;
    this.span = (int) (to - from);
  }

  /// Returns the test, or null if the values have another width or none of them is in the range.
  static @Nullable IntRange of(KeyForm form, KeyCheck check) {
    if (!(check instanceof KeyCheck.Range(long from, long to))) {
      return null;
    }
    return switch (form) {
      case INT32 -> of(false, from, to, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> of(false, from, to, 0, 0xffff_ffffL);
      case FLOAT32 -> of(true, from, to, Integer.MIN_VALUE, Integer.MAX_VALUE);
      default -> null;
    };
  }

  private static @Nullable IntRange of(
      boolean floating, long from, long to, long least, long most) {
    long first = Math.max(from, least);
    long last = Math.min(to, most);
    return first <= last ? new IntRange(floating, first, last) : null;
  }

  /// Tests some values.
  ///
  /// @param slice the values of a slice
  /// @param row the first of them to test
  /// @param count how many, at most 64 for each of [KeyCheck#WORDS_MAX]
  /// @param bits gets one bit for each value, set if it is in the range
  void test(MemorySegment slice, long row, int count, long[] bits) {
    MemorySegment.copy(slice, Words.INT, 4 * row, values, 0, count);
    compare(values, turned, first, span);
    join(values, RowFilter.words(count), bits);
  }

  /// Leaves the bit of each value that is in the range. See [KeyCheck].
  private static void compare(int[] values, int turned, int first, int span) {
    for (int i = 0; i < ROWS_MAX; i++) {
      int value = values[i];
      int key = (value ^ ((value >> 31) & turned)) - first;
      int beyond = ((~span & key) | (~(span ^ key) & (span - key))) >> 31; // span < key
      values[i] = ~beyond & BITS[i];
    }
  }

  private static void join(int[] values, int words, long[] bits) {
    for (int word = 0; word < words; word++) {
      int at = 64 * word;
      bits[word] = (join32(values, at) & 0xffff_ffffL) | ((long) join32(values, at + 32) << 32);
    }
  }

  private static int join32(int[] values, int at) {
    return join8(values, at)
        | join8(values, at + 8)
        | join8(values, at + 16)
        | join8(values, at + 24);
  }

  /// No loop: one of so few steps would be made of single ones.
  private static int join8(int[] values, int at) {
    return (values[at] | values[at + 1] | values[at + 2] | values[at + 3])
        | (values[at + 4] | values[at + 5] | values[at + 6] | values[at + 7]);
  }
}
