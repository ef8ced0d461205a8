package dev.penstock.internal.parquet;

import java.lang.foreign.MemorySegment;

/// Dictionary indices: Parquet's hybrid of run-length and bit-packed runs, 0 to 32 bits wide.
///
/// Indices are either written as 32-bit codes or looked up at once in a table of 4- or 8-byte
/// values. Every index is compared with the dictionary's size before it is used or given away.
final class IndexDecoder {
  /* Safety: `base` covers [0, end) plus 8 bytes of padding, proven in start(); bit-packed runs are
   * cut to the bytes that are there, so an 8-byte load at any index's first byte stays inside.
   * Tables and targets are proven by the caller (see the methods' docs).
   *
   * Kernels: at widths up to 14, four indices and the shift of up to 7 bits fit in one 64-bit load;
   * up to 28 two do. Below 32 bits an index cannot be negative, so one comparison checks it. Codes
   * and 4-byte values are stored in pairs. */
  private static final int LOAD_BYTES = 8;

  private static final int WIDTH_OF_FOUR = 14;
  private static final int WIDTH_OF_TWO = 28;

  private long base;
  private long position;
  private long end;
  private int width;
  private long left;
  private boolean packed;
  private int repeated;
  private long bit;

  /// Starts on the indices in bytes `[start, end)`; the first byte is their width.
  void start(MemorySegment data, long start, long end) throws PageException {
    if (start >= end) {
      throw new PageException("Truncated Parquet page: it has no dictionary indices.");
    }
    width = data.get(Raw.BYTE, start) & 0xff;
    if (width > 32) {
      throw new PageException(
          "Corrupt Parquet page: its dictionary indices have " + width + " bits, more than 32.");
    }
    base = Raw.address(data, start + 1, end - start - 1 + LOAD_BYTES);
    position = 0;
    this.end = end - start - 1;
    left = 0;
    if (width == 0) { // Writers differ in what follows; all indices are 0.
      packed = false;
      repeated = 0;
      left = Long.MAX_VALUE;
    }
  }

  /// Writes `count` indices below `size` as 32-bit codes at address `target`.
  void codes(long target, int count, int size) throws PageException {
    int last = size - 1;
    while (count > 0) {
      int part = run(count);
      if (packed) {
        if (!unpack(base, bit, width, part, last, target)) {
          throw tooLarge(size);
        }
        bit += (long) part * width;
      } else {
        checkRepeated(size);
        fill4(target, part, repeated);
      }
      left -= part;
      count -= part;
      target += part * 4L;
    }
  }

  /// Writes `count` 4-byte values at `target` from a table of `size` such values at `table`.
  void gather4(long table, int size, long target, int count) throws PageException {
    int last = size - 1;
    while (count > 0) {
      int part = run(count);
      if (packed) {
        if (!gather4(base, bit, width, part, table, last, target)) {
          throw tooLarge(size);
        }
        bit += (long) part * width;
      } else {
        checkRepeated(size);
        fill4(target, part, Raw.ALL.get(Raw.INT, table + repeated * 4L));
      }
      left -= part;
      count -= part;
      target += part * 4L;
    }
  }

  /// Writes `count` 8-byte values at `target` from a table of `size` such values at `table`.
  void gather8(long table, int size, long target, int count) throws PageException {
    int last = size - 1;
    while (count > 0) {
      int part = run(count);
      if (packed) {
        if (!gather8(base, bit, width, part, table, last, target)) {
          throw tooLarge(size);
        }
        bit += (long) part * width;
      } else {
        checkRepeated(size);
        fill8(target, part, Raw.ALL.get(Raw.LONG, table + repeated * 8L));
      }
      left -= part;
      count -= part;
      target += part * 8L;
    }
  }

  /// Returns how many of `count` indices the current run gives, at least 1.
  private int run(int count) throws PageException {
    while (left == 0) {
      nextRun();
    }
    return (int) Math.min(left, count);
  }

  private void nextRun() throws PageException {
    long header = varint();
    packed = (header & 1) != 0;
    if (packed) {
      long bytes = Math.min((header >>> 1) * width, end - position);
      left = bytes * 8 / width;
      bit = position * 8;
      position += bytes;
    } else {
      left = header >>> 1;
      repeated = 0;
      for (int i = 0; i < width; i += 8) {
        repeated |= next() << i;
      }
    }
  }

  private void checkRepeated(int size) throws PageException {
    if (repeated < 0 || repeated >= size) {
      throw tooLarge(size);
    }
  }

  private static PageException tooLarge(int size) {
    return new PageException(
        "Corrupt Parquet page: a dictionary index is not below the dictionary's size, "
            + size
            + ".");
  }

  private long varint() throws PageException {
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

  private int next() throws PageException {
    if (position >= end) {
      throw new PageException(
          "Truncated Parquet page: its dictionary indices end before its values do.");
    }
    return Raw.ALL.get(Raw.BYTE, base + position++) & 0xff;
  }

  private static void fill4(long target, int count, int value) {
    long both = (value & 0xffffffffL) | ((long) value << 32);
    int i = 0;
    for (; i + 2 <= count; i += 2) {
      Raw.ALL.set(Raw.LONG, target + i * 4L, both);
    }
    if (i < count) {
      Raw.ALL.set(Raw.INT, target + i * 4L, value);
    }
  }

  private static void fill8(long target, int count, long value) {
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.LONG, target + i * 8L, value);
    }
  }

  private static boolean unpack(long base, long bit, int width, int count, int last, long target) {
    int mask = (int) ((1L << width) - 1);
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      for (; i + 4 <= count; i += 4) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        int c = (int) (word >>> (2 * width)) & mask;
        int d = (int) (word >>> (3 * width)) & mask;
        if (a > last || b > last || c > last || d > last) {
          return false;
        }
        Raw.ALL.set(Raw.LONG, target, a | ((long) b << 32));
        Raw.ALL.set(Raw.LONG, target + 8, c | ((long) d << 32));
        bit += 4L * width;
        target += 16;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (; i + 2 <= count; i += 2) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        if (a > last || b > last) {
          return false;
        }
        Raw.ALL.set(Raw.LONG, target, a | ((long) b << 32));
        bit += 2L * width;
        target += 8;
      }
    }
    for (; i < count; i++) {
      int a = (int) (Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7)) & mask;
      if (a < 0 || a > last) {
        return false;
      }
      Raw.ALL.set(Raw.INT, target, a);
      bit += width;
      target += 4;
    }
    return true;
  }

  private static boolean gather4(
      long base, long bit, int width, int count, long table, int last, long target) {
    int mask = (int) ((1L << width) - 1);
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      for (; i + 4 <= count; i += 4) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        int c = (int) (word >>> (2 * width)) & mask;
        int d = (int) (word >>> (3 * width)) & mask;
        if (a > last || b > last || c > last || d > last) {
          return false;
        }
        long low = Raw.ALL.get(Raw.INT, table + a * 4L) & 0xffffffffL;
        long high = Raw.ALL.get(Raw.INT, table + c * 4L) & 0xffffffffL;
        Raw.ALL.set(Raw.LONG, target, low | ((long) Raw.ALL.get(Raw.INT, table + b * 4L) << 32));
        Raw.ALL.set(
            Raw.LONG, target + 8, high | ((long) Raw.ALL.get(Raw.INT, table + d * 4L) << 32));
        bit += 4L * width;
        target += 16;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (; i + 2 <= count; i += 2) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        if (a > last || b > last) {
          return false;
        }
        long low = Raw.ALL.get(Raw.INT, table + a * 4L) & 0xffffffffL;
        Raw.ALL.set(Raw.LONG, target, low | ((long) Raw.ALL.get(Raw.INT, table + b * 4L) << 32));
        bit += 2L * width;
        target += 8;
      }
    }
    for (; i < count; i++) {
      int a = (int) (Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7)) & mask;
      if (a < 0 || a > last) {
        return false;
      }
      Raw.ALL.set(Raw.INT, target, Raw.ALL.get(Raw.INT, table + a * 4L));
      bit += width;
      target += 4;
    }
    return true;
  }

  private static boolean gather8(
      long base, long bit, int width, int count, long table, int last, long target) {
    int mask = (int) ((1L << width) - 1);
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      for (; i + 4 <= count; i += 4) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        int c = (int) (word >>> (2 * width)) & mask;
        int d = (int) (word >>> (3 * width)) & mask;
        if (a > last || b > last || c > last || d > last) {
          return false;
        }
        Raw.ALL.set(Raw.LONG, target, Raw.ALL.get(Raw.LONG, table + a * 8L));
        Raw.ALL.set(Raw.LONG, target + 8, Raw.ALL.get(Raw.LONG, table + b * 8L));
        Raw.ALL.set(Raw.LONG, target + 16, Raw.ALL.get(Raw.LONG, table + c * 8L));
        Raw.ALL.set(Raw.LONG, target + 24, Raw.ALL.get(Raw.LONG, table + d * 8L));
        bit += 4L * width;
        target += 32;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (; i + 2 <= count; i += 2) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        if (a > last || b > last) {
          return false;
        }
        Raw.ALL.set(Raw.LONG, target, Raw.ALL.get(Raw.LONG, table + a * 8L));
        Raw.ALL.set(Raw.LONG, target + 8, Raw.ALL.get(Raw.LONG, table + b * 8L));
        bit += 2L * width;
        target += 16;
      }
    }
    for (; i < count; i++) {
      int a = (int) (Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7)) & mask;
      if (a < 0 || a > last) {
        return false;
      }
      Raw.ALL.set(Raw.LONG, target, Raw.ALL.get(Raw.LONG, table + a * 8L));
      bit += width;
      target += 8;
    }
    return true;
  }
}
