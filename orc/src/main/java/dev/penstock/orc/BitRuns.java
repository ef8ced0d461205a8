package dev.penstock.orc;

import java.io.IOException;

/// Bits in runs of bytes, as the ORC specification has them in "Boolean Run Length Encoding", the
/// first bit of a byte its highest one. Given in words, the first bit of each the lowest one.
final class BitRuns {
  private final ByteRuns in;
  private byte[] bytes = {};
  private long rest; // bits of the last byte that were not given yet
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
  /// @param words where they go, [#wordsFor] of them; bits behind the last one are 0
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

  /// Takes what is too much off the end and counts what is left.
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

  /// Returns how many words are needed to read so many bits.
  static int wordsFor(int count) {
    return (count >>> 6) + 2;
  }

  private final long[] skipped = new long[wordsFor(SKIP_BITS)];
  private static final int SKIP_BITS = 4096;

  /// Leaves bits out.
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
