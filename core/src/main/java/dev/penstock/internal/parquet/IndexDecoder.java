package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;

/// Dictionary indices: Parquet's hybrid of run-length and bit-packed runs, 0 to 32 bits wide.
///
/// Indices are either written as 32-bit codes or looked up at once in a table of 4- or 8-byte
/// values. Only indices below the dictionary's size are used or returned.
final class IndexDecoder extends HybridRuns {
  /* Safety: an 8-byte load at any index's first byte stays inside. The caller checks targets (see
   * the methods' docs).
   *
   * Kernels: at widths up to 14, four indices and the shift of up to 7 bits fit in one 64-bit load,
   * up to 28 two. Below 32 bits an index cannot be negative, so one comparison checks a code. Codes
   * are stored in pairs. Values are taken eight at a time, which are `width` bytes. Their addresses
   * follow the loop's counter up to a fixed end, so that the JIT checks them before the loop.
   *
   * Tables of 4-byte values are arrays of exactly the dictionary's size, so the array's own bounds
   * check suffices. Tables of 8-byte values have the length of a power of two: a masked index needs
   * no bounds check, which would keep all indices in registers until the last one. Whether indices
   * are in the dictionary is known after the loop: every second one of a word is added to what is
   * missing up to 2^width, and the bit above it shows which sums are too large. */
  private static final int WIDTH_OF_FOUR = 14;
  private static final int WIDTH_OF_TWO = 28;

  IndexDecoder() {
    super("dictionary indices", 0, 0);
  }

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
    startRuns(data, start + 1, end);
    if (width == 0) {
      packed = false;
      repeated = 0;
      left = zeros();
    }
  }

  /// Returns how many indices of 0 bits there are; all are 0. Some writers write no runs, others
  /// add padding after them. Anything else means codes of another width, an error.
  private long zeros() throws PageException {
    if (end == 0) {
      return Long.MAX_VALUE;
    }
    long count = 0;
    while (position < end) {
      long start = position;
      long header = varint();
      long more = (header & 1) == 0 ? header >>> 1 : (header >>> 1) * 8;
      if (more == 0) {
        position = start;
        requirePadding();
      }
      count += more;
    }
    return count;
  }

  private void requirePadding() throws PageException {
    while (position < end) {
      if (next() != 0) {
        throw new PageException(
            "Corrupt Parquet page: its dictionary indices are stated to have 0 bits but there are"
                + " codes.");
      }
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
      } else if (repeated < 0 || repeated > last) {
        throw tooLarge(size);
      } else {
        fill4(target, part, repeated);
      }
      left -= part;
      count -= part;
      target += part * 4L;
    }
  }

  /// Writes `count` 4-byte values of the table at address `target`.
  void gather4(int[] table, long target, int count) throws PageException {
    try {
      while (count > 0) {
        int part = run(count);
        if (packed) {
          gather4(base, bit, width, part, table, target);
          bit += (long) part * width;
        } else {
          fill4(target, part, table[repeated]);
        }
        left -= part;
        count -= part;
        target += part * 4L;
      }
    } catch (ArrayIndexOutOfBoundsException _) {
      throw tooLarge(table.length);
    }
  }

  /// Writes `count` 8-byte values of the table, of whose entries `size` count, at address `target`.
  void gather8(long[] table, int size, long target, int count) throws PageException {
    while (count > 0) {
      int part = run(count);
      if (packed) {
        if (!gather8(base, bit, width, part, table, size, target)) {
          throw tooLarge(size);
        }
        bit += (long) part * width;
      } else if (repeated < 0 || repeated >= size) {
        throw tooLarge(size);
      } else {
        fill8(target, part, table[repeated]);
      }
      left -= part;
      count -= part;
      target += part * 8L;
    }
  }

  /// Returns how many of `count` indices come from the current run, at least 1.
  private int run(int count) throws PageException {
    if (left == 0) {
      nextRun();
    }
    return (int) Math.min(left, count);
  }

  private static PageException tooLarge(int size) {
    return new PageException(
        "Corrupt Parquet page: a dictionary index is not below the dictionary's size, "
            + size
            + ".");
  }

  private static void fill4(long target, int count, int value) {
    long both = pair(value, value);
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

  private static void gather4(long base, long bit, int width, int count, int[] table, long target) {
    int mask = (int) ((1L << width) - 1);
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      long other = bit + 4L * width;
      long first = base + (bit >>> 3);
      long second = base + (other >>> 3);
      for (int whole = count & -8; i < whole; i += 8) {
        long word = Raw.ALL.get(Raw.LONG, first) >>> (bit & 7);
        long more = Raw.ALL.get(Raw.LONG, second) >>> (other & 7);
        Raw.ALL.set(Raw.INT, target + i * 4L, table[(int) word & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 4, table[(int) (word >>> width) & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 8, table[(int) (word >>> (2 * width)) & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 12, table[(int) (word >>> (3 * width)) & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 16, table[(int) more & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 20, table[(int) (more >>> width) & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 24, table[(int) (more >>> (2 * width)) & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 28, table[(int) (more >>> (3 * width)) & mask]);
        first += width;
        second += width;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (int whole = count & -2; i < whole; i += 2) {
        long at = bit + (long) i * width;
        long word = Raw.ALL.get(Raw.LONG, base + (at >>> 3)) >>> (at & 7);
        Raw.ALL.set(Raw.INT, target + i * 4L, table[(int) word & mask]);
        Raw.ALL.set(Raw.INT, target + i * 4L + 4, table[(int) (word >>> width) & mask]);
      }
    }
    for (; i < count; i++) {
      long at = bit + (long) i * width;
      int code = (int) (Raw.ALL.get(Raw.LONG, base + (at >>> 3)) >>> (at & 7)) & mask;
      Raw.ALL.set(Raw.INT, target + i * 4L, table[code]);
    }
  }

  /// Returns two values of 4 bytes as one word, the first in its lower half.
  static long pair(int first, int second) {
    return (first & 0xffffffffL) | ((long) second << 32);
  }

  private static boolean gather8(
      long base, long bit, int width, int count, long[] table, int size, long target) {
    int mask = (int) ((1L << width) - 1);
    int within = table.length - 1;
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      int two = 2 * width;
      long even = mask | ((long) mask << two);
      long room = Math.max(0, mask + 1 - size);
      room |= room << two;
      long sums = 0;
      long other = bit + 4L * width;
      long first = base + (bit >>> 3);
      long second = base + (other >>> 3);
      for (int whole = count & -8; i < whole; i += 8) {
        long word = Raw.ALL.get(Raw.LONG, first) >>> (bit & 7);
        long ac = word & even;
        long bd = (word >>> width) & even;
        long more = Raw.ALL.get(Raw.LONG, second) >>> (other & 7);
        long eg = more & even;
        long fh = (more >>> width) & even;
        sums |= (ac + room) | (bd + room) | (eg + room) | (fh + room);
        Raw.ALL.set(Raw.LONG, target + i * 8L, table[(int) ac & mask & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 8, table[(int) bd & mask & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 16, table[(int) (ac >>> two) & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 24, table[(int) (bd >>> two) & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 32, table[(int) eg & mask & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 40, table[(int) fh & mask & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 48, table[(int) (eg >>> two) & within]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 56, table[(int) (fh >>> two) & within]);
        first += width;
        second += width;
      }
      if ((sums & ((1L << width) | (1L << (3 * width)))) != 0) {
        return false;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (int whole = count & -2; i < whole; i += 2) {
        long at = bit + (long) i * width;
        long word = Raw.ALL.get(Raw.LONG, base + (at >>> 3)) >>> (at & 7);
        int a = (int) word & mask;
        int b = (int) (word >>> width) & mask;
        if (a >= size || b >= size) {
          return false;
        }
        Raw.ALL.set(Raw.LONG, target + i * 8L, table[a]);
        Raw.ALL.set(Raw.LONG, target + i * 8L + 8, table[b]);
      }
    }
    for (; i < count; i++) {
      long at = bit + (long) i * width;
      int code = (int) (Raw.ALL.get(Raw.LONG, base + (at >>> 3)) >>> (at & 7)) & mask;
      if (code < 0 || code >= size) {
        return false;
      }
      Raw.ALL.set(Raw.LONG, target + i * 8L, table[code]);
    }
    return true;
  }
}
