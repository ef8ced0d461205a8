package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;

/// Values of one width, stored byte by byte (BYTE_STREAM_SPLIT): the first bytes of all values,
/// then their second bytes, and so on.
final class ByteStreamSplit {
  /* Safety: `base` covers all streams plus 8 bytes of padding, checked in start(). A load of 8
   * bytes may run past its stream's end, into the next one or the padding. The caller checks
   * targets: `count` values and 8 bytes of padding.
   *
   * Kernels: squares of 8 values by 8 streams are transposed in registers, as 8 words: bytes, then
   * pairs, then fours are swapped across the diagonal. Values of 4 bytes have their own kernel.
   * Others are assembled from squares; the last square overlaps the one before; a value of less
   * than 8 bytes is stored as a whole word whose end the next value overwrites. */
  static final int PADDING = 8; // how many bytes after the target of decode are overwritten

  /// Wide values are assembled this many rows at a time, to stay in the cache.
  private static final int BLOCK_ROWS = 256;

  private static final long BYTES = 0x00ff00ff00ff00ffL;
  private static final long PAIRS = 0x0000ffff0000ffffL;
  private static final long FOURS = 0x00000000ffffffffL;

  private int width;
  private long base;
  private long stride; // from one stream to the next: the values of the page
  private long next;

  /// Starts on values of `width` bytes each, at most `most`, in bytes `[start, end)`.
  void start(MemorySegment data, long start, long end, int width, int most) throws PageException {
    long bytes = end - start;
    if (bytes % width != 0 || bytes / width > most) {
      throw PageException.of(
          "Corrupt Parquet page: its byte streams have %s bytes in all but expected a multiple"
              + " of %s, for at most %s values.",
          bytes, width, most);
    }
    this.width = width;
    base = Raw.address(data, start, bytes + PADDING);
    stride = bytes / width;
    next = 0;
  }

  /// Writes the next `count` values at address `target`.
  void decode(long target, int count) throws PageException {
    if (count > stride - next) {
      throw PageException.of(
          "Truncated Parquet page: %s more values are expected but its byte streams have %s.",
          count, stride - next);
    }
    long from = base + next;
    if (width == 4) {
      fours(from, stride, target, count);
    } else {
      for (int done = 0; done < count; done += BLOCK_ROWS) {
        any(from + done, target + (long) done * width, Math.min(BLOCK_ROWS, count - done));
      }
    }
    next += count;
  }

  private void any(long from, long target, int count) {
    for (int at = 0; at < width; at += 8) {
      int first = Math.clamp(width - 8L, 0, at);
      eights(from + first * stride, stride, width - 1 - first, target + first, width, count);
    }
  }

  private static void fours(long source, long stride, long target, int count) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      long a = Raw.ALL.get(Raw.LONG, source + i);
      long b = Raw.ALL.get(Raw.LONG, source + stride + i);
      long c = Raw.ALL.get(Raw.LONG, source + 2 * stride + i);
      long d = Raw.ALL.get(Raw.LONG, source + 3 * stride + i);
      long t = ((a >>> 8) ^ b) & BYTES;
      b ^= t;
      a ^= t << 8;
      t = ((c >>> 8) ^ d) & BYTES;
      d ^= t;
      c ^= t << 8;
      t = ((a >>> 16) ^ c) & PAIRS;
      c ^= t;
      a ^= t << 16;
      t = ((b >>> 16) ^ d) & PAIRS;
      d ^= t;
      b ^= t << 16;
      // Now a holds values 0 and 4, b 1 and 5, c 2 and 6, d 3 and 7.
      long to = target + i * 4L;
      Raw.ALL.set(Raw.LONG, to, (a & FOURS) | (b << 32));
      Raw.ALL.set(Raw.LONG, to + 8, (c & FOURS) | (d << 32));
      Raw.ALL.set(Raw.LONG, to + 16, (a >>> 32) | (b & ~FOURS));
      Raw.ALL.set(Raw.LONG, to + 24, (c >>> 32) | (d & ~FOURS));
    }
    for (; i < count; i++) {
      for (int k = 0; k < 4; k++) {
        byte value = Raw.ALL.get(Raw.BYTE, source + k * stride + i);
        Raw.ALL.set(Raw.BYTE, target + i * 4L + k, value);
      }
    }
  }

  /// Assembles 8 bytes of each of `count` values, `width` bytes apart. Stream `last`, 0 or more,
  /// stands in for missing streams up to the 8th.
  private static void eights(
      long source, long stride, int last, long target, int width, int count) {
    long s1 = source + Math.min(1, last) * stride;
    long s2 = source + Math.min(2, last) * stride;
    long s3 = source + Math.min(3, last) * stride;
    long s4 = source + Math.min(4, last) * stride;
    long s5 = source + Math.min(5, last) * stride;
    long s6 = source + Math.min(6, last) * stride;
    long s7 = source + Math.min(7, last) * stride;
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      long a = Raw.ALL.get(Raw.LONG, source + i);
      long b = Raw.ALL.get(Raw.LONG, s1 + i);
      long c = Raw.ALL.get(Raw.LONG, s2 + i);
      long d = Raw.ALL.get(Raw.LONG, s3 + i);
      long e = Raw.ALL.get(Raw.LONG, s4 + i);
      long f = Raw.ALL.get(Raw.LONG, s5 + i);
      long g = Raw.ALL.get(Raw.LONG, s6 + i);
      long h = Raw.ALL.get(Raw.LONG, s7 + i);
      long t = ((a >>> 8) ^ b) & BYTES;
      b ^= t;
      a ^= t << 8;
      t = ((c >>> 8) ^ d) & BYTES;
      d ^= t;
      c ^= t << 8;
      t = ((e >>> 8) ^ f) & BYTES;
      f ^= t;
      e ^= t << 8;
      t = ((g >>> 8) ^ h) & BYTES;
      h ^= t;
      g ^= t << 8;
      t = ((a >>> 16) ^ c) & PAIRS;
      c ^= t;
      a ^= t << 16;
      t = ((b >>> 16) ^ d) & PAIRS;
      d ^= t;
      b ^= t << 16;
      t = ((e >>> 16) ^ g) & PAIRS;
      g ^= t;
      e ^= t << 16;
      t = ((f >>> 16) ^ h) & PAIRS;
      h ^= t;
      f ^= t << 16;
      long to = target + (long) i * width;
      Raw.ALL.set(Raw.LONG, to, (a & FOURS) | (e << 32));
      Raw.ALL.set(Raw.LONG, to + width, (b & FOURS) | (f << 32));
      Raw.ALL.set(Raw.LONG, to + 2L * width, (c & FOURS) | (g << 32));
      Raw.ALL.set(Raw.LONG, to + 3L * width, (d & FOURS) | (h << 32));
      Raw.ALL.set(Raw.LONG, to + 4L * width, (a >>> 32) | (e & ~FOURS));
      Raw.ALL.set(Raw.LONG, to + 5L * width, (b >>> 32) | (f & ~FOURS));
      Raw.ALL.set(Raw.LONG, to + 6L * width, (c >>> 32) | (g & ~FOURS));
      Raw.ALL.set(Raw.LONG, to + 7L * width, (d >>> 32) | (h & ~FOURS));
    }
    int streams = Math.min(8, last + 1);
    for (; i < count; i++) {
      for (int k = 0; k < streams; k++) {
        byte value = Raw.ALL.get(Raw.BYTE, source + k * stride + i);
        Raw.ALL.set(Raw.BYTE, target + (long) i * width + k, value);
      }
    }
  }
}
