package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;

/// A stream of single bits: definition levels of flat columns, and booleans.
final class BitRuns extends HybridRuns {
  BitRuns() {
    super("levels or booleans", 1, 1);
  }

  /// Takes `count` bits, writes them like [Bits#append], and returns how many are set.
  int take(MemorySegment bitmap, long at, int count) throws PageException {
    // Run by run: cut at the bitmap's words as well, no processor foresees where parts end.
    int ones = 0;
    for (long end = at + count; at < end; ) {
      if (left == 0) {
        nextRun();
      }
      int part = (int) Math.min(64, Math.min(left, end - at));
      long bits = (packed ? load() : -(long) repeated) & (-1L >>> (64 - part));
      Bits.append(bitmap, at, bits);
      ones += Long.bitCount(bits);
      bit += part;
      left -= part;
      at += part;
    }
    return ones;
  }

  /// Takes `count` bits, in `[1, 64]`; the first is the least significant, and higher bits are
  /// zero.
  long take(int count) throws PageException {
    long bits = 0;
    int have = 0;
    while (true) {
      if (left == 0) {
        nextRun();
      }
      int part = (int) Math.min(left, count - have);
      long mask = -1L >>> (64 - part);
      bits |= ((packed ? load() : -(long) repeated) & mask) << have;
      bit += part;
      left -= part;
      have += part;
      if (have == count) {
        return bits;
      }
    }
  }

  @Override
  void checkRepeated() throws PageException {
    if (repeated > 1) {
      throw PageException.of(
          "Corrupt Parquet page: a level or boolean is %s but expected 0 or 1.", repeated);
    }
  }
}
