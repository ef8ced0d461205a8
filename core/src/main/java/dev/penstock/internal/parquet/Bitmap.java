package dev.penstock.internal.parquet;

import java.util.Arrays;

/// Bits of levels, least significant first, that are read again as words. Grows with what is
/// written.
final class Bitmap {
  private long[] words = new long[8];

  /// Makes room for so many bits; keeps those there.
  void expect(long bits) {
    int needed = (int) (bits >>> 6) + 2; // get() and set() may look into one more
    if (words.length < needed) {
      words = Arrays.copyOf(words, needed + (needed >> 1));
    }
  }

  /// Writes `count` bits, in `[1, 64]`, at `at`. Bits before stay; bits behind become undefined.
  void set(long at, long bits, int count) {
    int word = (int) (at >>> 6);
    int shift = (int) at & 63;
    words[word] = (words[word] & ~(-1L << shift)) | (bits << shift);
    if (shift + count > 64) {
      words[word + 1] = bits >>> (64 - shift);
    }
  }

  /// Writes `count` bits that are all as in `pattern`, which is 0 or -1; as [#set].
  void fill(long at, long pattern, int count) {
    if (count == 0) {
      return;
    }
    int word = (int) (at >>> 6);
    int end = (int) ((at + count - 1) >>> 6);
    int shift = (int) at & 63;
    words[word] = (words[word] & ~(-1L << shift)) | (pattern << shift);
    for (int i = word + 1; i <= end; i++) {
      words[i] = pattern;
    }
  }

  /// Sets one bit.
  void mark(int at) {
    words[at >> 6] |= 1L << at;
  }

  /// Returns `count` bits, in `[1, 64]`, from `at`; those behind are zero.
  long get(long at, int count) {
    int word = (int) (at >>> 6);
    int shift = (int) at & 63;
    // Two shifts, because one by 64 would be one by 0.
    long bits = (words[word] >>> shift) | (words[word + 1] << 1 << (63 - shift));
    return bits & (-1L >>> (64 - count));
  }

  /// Drops the first `count` words of those before bit `end`.
  void drop(int count, long end) {
    int last = (int) ((end + 63) >>> 6);
    System.arraycopy(words, count, words, 0, last - count);
  }
}
