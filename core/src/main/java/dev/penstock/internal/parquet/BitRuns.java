package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;

/// A stream of single bits: definition levels of flat columns, and booleans.
///
/// Parquet's hybrid of run-length and bit-packed runs at bit width 1, or one bit-packed run.
final class BitRuns extends HybridRuns {
  /* Safety: `base` covers [start, end) plus 16 bytes of padding, checked in reset(). Literal runs
   * are cut to the existing bytes, so bits beyond `end` are never counted. */
  private static final int LOAD_BYTES = 16;

  private long left;
  private boolean literal;
  private long repeated;
  private long bit;

  BitRuns() {
    super("levels or booleans");
  }

  /// Starts on the levels of a page, RLE or BIT_PACKED, which are 0 or 1.
  void start(Page.Part levels, Encoding encoding, int count) {
    if (encoding == Encoding.BIT_PACKED) {
      startPlain(levels.segment(), levels.start(), levels.end(), count);
    } else {
      startRuns(levels.segment(), levels.start(), levels.end());
    }
  }

  /// Starts a hybrid stream in bytes `[start, end)`.
  void startRuns(MemorySegment data, long start, long end) {
    reset(data, start, end, LOAD_BYTES);
    this.left = 0;
  }

  /// Starts a stream of `count` plain bits in bytes `[start, end)`.
  void startPlain(MemorySegment data, long start, long end, long count) {
    reset(data, start, end, LOAD_BYTES);
    this.left = Math.min(count, this.end * 8);
    this.literal = true;
    this.bit = 0;
    this.position = this.end;
  }

  /// Takes `count` bits if all are ones within a single run; returns whether it did.
  boolean takeOnes(int count) throws PageException {
    if (left == 0) {
      nextRun();
    }
    if (literal || repeated == 0 || left < count) {
      return false;
    }
    left -= count;
    return true;
  }

  /// Takes `count` bits, in `[1, 64]`; the first is the least significant, and higher bits are
  /// zero.
  long take(int count) throws PageException {
    long bits = 0;
    int have = 0;
    while (true) {
      while (left == 0) {
        nextRun();
      }
      int part = (int) Math.min(left, count - have);
      long mask = -1L >>> (64 - part);
      bits |= ((literal ? load() : repeated) & mask) << have;
      bit += part;
      left -= part;
      have += part;
      if (have == count) {
        return bits;
      }
    }
  }

  private long load() {
    long address = base + (bit >>> 3);
    int shift = (int) bit & 7;
    long low = Raw.ALL.get(Raw.LONG, address) >>> shift;
    // Two shifts, because a shift by 64 would shift by 0.
    return low | ((long) Raw.ALL.get(Raw.BYTE, address + 8) << 1 << (63 - shift));
  }

  private void nextRun() throws PageException {
    do {
      long header = varint();
      literal = (header & 1) != 0;
      if (literal) {
        long bytes = Math.min(header >>> 1, end - position);
        left = bytes * 8;
        bit = position * 8;
        position += bytes;
      } else {
        left = header >>> 1;
        repeated = -value();
      }
    } while (left == 0);
  }

  private long value() throws PageException {
    int value = next();
    if (value > 1) {
      throw new PageException(
          "Corrupt Parquet page: a level or boolean is " + value + " but expected 0 or 1.");
    }
    return value;
  }
}
