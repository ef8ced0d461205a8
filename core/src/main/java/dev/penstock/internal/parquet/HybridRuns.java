package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;

/// A stream in Parquet's hybrid of run-length and bit-packed runs, or a single bit-packed run. This
/// class finds the runs; the others take the values from them.
abstract sealed class HybridRuns permits BitRuns, LevelRuns, IndexDecoder {
  /* Safety: `base` covers [0, end) plus 16 bytes of padding. Bit-packed runs are cut to the
   * existing bytes, so no value beyond `end` is ever returned. */
  private static final int LOAD_BYTES = 16;

  long base; // the address of the first byte
  long position; // the next byte to read, counted from `base`
  long end; // counted from `base`

  int width; // bits of a value
  long left; // values of the run
  boolean packed; // whether the run's next value is at `bit`; else all are `repeated`
  int repeated;
  long bit;

  private final String what;
  final int max;

  /// Makes a stream of `what`, which errors name. `max` is the value that [#takeMax] takes.
  HybridRuns(String what, int width, int max) {
    this.what = what;
    this.width = width;
    this.max = max;
  }

  /// Starts on the levels of a page, RLE or BIT_PACKED.
  void start(Page.Part levels, Encoding encoding, int count) {
    if (encoding == Encoding.BIT_PACKED) {
      startPacked(levels.segment(), levels.start(), levels.end(), count);
    } else {
      startRuns(levels.segment(), levels.start(), levels.end());
    }
  }

  /// Starts a hybrid stream in bytes `[start, end)`.
  final void startRuns(MemorySegment data, long start, long end) {
    this.base = Raw.address(data, start, end - start + LOAD_BYTES);
    this.position = 0;
    this.end = end - start;
    this.left = 0;
  }

  /// Starts a single bit-packed run of `count` values in bytes `[start, end)`.
  final void startPacked(MemorySegment data, long start, long end, long count) {
    startRuns(data, start, end);
    left = Math.min(count, this.end * 8 / width);
    packed = true;
    bit = 0;
    position = this.end;
  }

  /// Takes `count` values if all are the maximum within a single run; returns whether it did.
  final boolean takeMax(int count) throws PageException {
    if (left == 0) {
      nextRun();
    }
    if (packed || repeated != max || left < count) {
      return false;
    }
    left -= count;
    return true;
  }

  /// Returns the 64 bits from `bit` on.
  final long load() {
    long address = base + (bit >>> 3);
    int shift = (int) bit & 7;
    long low = Raw.ALL.get(Raw.LONG, address) >>> shift;
    // Two shifts, because a shift by 64 would shift by 0.
    return low | ((long) Raw.ALL.get(Raw.BYTE, address + 8) << 1 << (63 - shift));
  }

  /// Moves to the next run that has values.
  final void nextRun() throws PageException {
    do {
      long header = varint();
      packed = (header & 1) != 0;
      if (packed) {
        long bytes = (header >>> 1) * width;
        left = (header >>> 1) * 8;
        if (bytes > end - position) {
          bytes = end - position;
          left = bytes * 8 / width;
        }
        bit = position * 8;
        position += bytes;
      } else {
        left = header >>> 1;
        repeated = 0;
        for (int i = 0; i < width; i += 8) {
          repeated |= next() << i;
        }
        checkRepeated();
      }
    } while (left == 0);
  }

  /// Checks the value of a run that repeats it.
  void checkRepeated() throws PageException {}

  final long varint() throws PageException {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int part = next();
      value |= (part & 0x7fL) << shift;
      if (part < 0x80) {
        return value;
      }
    }
    throw new PageException("Corrupt Parquet page: the length of a run has more than 5 bytes.");
  }

  final int next() throws PageException {
    if (position >= end) {
      throw new PageException("Truncated Parquet page: its " + what + " end before its values do.");
    }
    return Raw.ALL.get(Raw.BYTE, base + position++) & 0xff;
  }
}
