package dev.penstock.internal.parquet;

import java.util.Arrays;

/// Bits of levels, least significant first, that are read back as words. Grows as needed.
final class Bitmap {
  private long[] words = new long[8];

  /// Makes room for `bits` bits and keeps the bits already there.
  void expect(long bits) {
    int needed = (int) (bits >>> 6) + 2; // get() and set() may access one more word
    if (words.length < needed) {
      words = Arrays.copyOf(words, needed + (needed >> 1));
    }
  }

  /// Writes `count` bits, in `[1, 64]`, at `at`. Bits before stay; bits after become undefined.
  void set(long at, long bits, int count) {
    int word = (int) (at >>> 6);
    int shift = (int) at & 63;
    words[word] = (words[word] & ~(-1L << shift)) | (bits << shift);
    if (shift + count > 64) {
      words[word + 1] = bits >>> (64 - shift);
    }
  }

  /// Writes `count` equal bits, like [#set]; `pattern` is 0 or -1.
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

  void mark(int at) {
    words[at >> 6] |= 1L << at;
  }

  /// Returns `count` bits, in `[1, 64]`, from `at`; higher bits are zero.
  long get(long at, int count) {
    int word = (int) (at >>> 6);
    int shift = (int) at & 63;
    // Two shifts, because a shift by 64 would shift by 0.
    long bits = (words[word] >>> shift) | (words[word + 1] << 1 << (63 - shift));
    return bits & (-1L >>> (64 - count));
  }

  /// Drops the first `count` words; keeps the rest up to bit `end`.
  void drop(int count, long end) {
    int last = (int) ((end + 63) >>> 6);
    System.arraycopy(words, count, words, 0, last - count);
  }
}
