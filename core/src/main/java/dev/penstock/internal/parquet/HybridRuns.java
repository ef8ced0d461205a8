package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;

/// The bytes of Parquet's hybrid of run-length and bit-packed runs: headers and repeated values.
abstract sealed class HybridRuns permits BitRuns, LevelRuns, IndexDecoder {
  /// The address of the first byte.
  long base;

  /// The next byte to read, counted from `base`.
  long position;

  /// The end of the bytes, counted from `base`.
  long end;

  private final String what;

  /// Names what runs are of, for errors.
  HybridRuns(String what) {
    this.what = what;
  }

  /// Starts at bytes `[start, end)`, after which `padding` bytes can be read.
  final void reset(MemorySegment data, long start, long end, int padding) {
    this.base = Raw.address(data, start, end - start + padding);
    this.position = 0;
    this.end = end - start;
  }

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
