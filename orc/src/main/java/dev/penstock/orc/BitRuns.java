package dev.penstock.orc;

import java.io.IOException;

/// Reads bits in runs of bytes (ORC specification, "Boolean Run Length Encoding"), where the first
/// bit of a byte is its highest. Returns words, where the first bit is the lowest.
final class BitRuns {
  private final ByteRuns in;
  private byte[] bytes = {};
  private long rest; // bits of the last byte that were not returned yet
  private int restBits;

  BitRuns(StoredStream in) {
    this.in = new ByteRuns(in);
  }

  void open(StripeStreams.Place place) {
    in.open(place);
    rest = 0;
    restBits = 0;
  }

  void seek(Positions positions) throws IOException {
    in.seek(positions);
    rest = 0;
    restBits = 0;
    long bits = positions.next();
    if (bits > 8) {
      throw new IOException("a position is bit " + bits + " of a byte");
    }
    skip(bits);
  }

  /// Reads bits.
  ///
  /// @param words receives the bits, [#wordsFor] words; bits after the last one are 0
  /// @return how many of them are set
  int read(long[] words, int count) throws IOException {
    int needed = Math.max(0, (count - restBits + 7) >>> 3);
    if (bytes.length < needed) {
      bytes = new byte[needed];
    }
    in.read(bytes, needed);
    long word = rest;
    int has = restBits;
    int full = 0;
    for (int i = 0; i < needed; i++) {
      long bits = Integer.reverse(bytes[i] << 24) & 0xff;
      word |= bits << has;
      has += 8;
      if (has >= 64) {
        words[full++] = word;
        has -= 64;
        word = has == 0 ? 0 : bits >>> (8 - has);
      }
    }
    words[full] = word;
    return cut(words, count, restBits + 8 * needed - count);
  }

  /// Clears the bits after the end, and counts the remaining set bits.
  private int cut(long[] words, int count, int excess) {
    int last = count >>> 6;
    int shift = count & 63;
    rest = words[last] >>> shift;
    if (shift + excess > 64) {
      rest |= words[last + 1] << (64 - shift);
    }
    rest &= (1L << excess) - 1;
    restBits = excess;
    words[last] &= (1L << shift) - 1;
    int set = 0;
    for (int i = 0; i <= last; i++) {
      set += Long.bitCount(words[i]);
    }
    return set;
  }

  /// Returns how many words a number of bits needs.
  static int wordsFor(int count) {
    return (count >>> 6) + 2;
  }

  private final long[] skipped = new long[wordsFor(SKIP_BITS)];
  private static final int SKIP_BITS = 4096;

  /// Skips bits.
  ///
  /// @return how many of them are set
  long skip(long count) throws IOException {
    long set = 0;
    for (long left = count; left > 0; left -= SKIP_BITS) {
      set += read(skipped, (int) Math.min(left, SKIP_BITS));
    }
    return set;
  }
}
