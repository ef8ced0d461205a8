package dev.penstock.internal.text;

import dev.penstock.internal.memory.Raw;

/// SIMD within a register: operations on eight bytes at a time, by address; the byte at the lowest
/// address is the lowest of the word.
///
/// The caller must check addresses, including 64 bytes after the text: kernels load whole words,
/// some whole blocks of eight, and every text buffer has that padding.
public final class Swar {
  static final int PADDING_BYTES = 64; // how many bytes of padding follow the text
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;
  private static final long ZEROS = 0x3030303030303030L;

  /// The bits that [#misses] sets for bytes that are not digits; its other bits are undefined.
  static final long MISSED = 0xf0f0f0f0f0f0f0f0L;

  private Swar() {}

  public static byte load(long address) {
    return Raw.ALL.get(Raw.BYTE, address);
  }

  public static long word(long address) {
    return Raw.ALL.get(Raw.LONG, address);
  }

  /// Returns a word of eight times the same byte, for [#match].
  public static long of(byte value) {
    return (value & 0xffL) * ONES;
  }

  /// Returns the high bit of each byte that is equal to that in `wanted`, all else zero.
  public static long match(long word, long wanted) {
    long x = word ^ wanted;
    return ~(((x & LOWS) + LOWS) | x | LOWS);
  }

  /// Returns whether a word may have an ASCII byte below a limit, eight of a byte of at most 0x80.
  /// If not, it has no such byte.
  static boolean mayHaveBelow(long word, long limit) {
    return ((word - limit) & ~word & HIGHS) != 0;
  }

  /// Returns the high bit of each byte outside ASCII.
  static long high(long word) {
    return word & HIGHS;
  }

  /// Returns those of a word's matches that are among its first bytes.
  public static long first(long matches, long bytes) {
    return bytes >= 8 ? matches : matches & ((1L << (8 * bytes)) - 1);
  }

  /// Returns the place, in `[0, 8)`, of the first match, of which there is one.
  public static int place(long matches) {
    return Long.numberOfTrailingZeros(matches) >>> 3;
  }

  /// Returns the high bit of each ASCII byte below a limit, eight of a byte of at most 0x80; all
  /// else zero.
  public static long below(long word, long limit) {
    return ~(((word | HIGHS) - limit) | word) & HIGHS;
  }

  /// Returns one bit for each byte of a result of [#match] or [#below], the first byte's the
  /// lowest.
  public static long bits(long matches) {
    return ((matches >>> 7) * 0x0102040810204080L) >>> 56;
  }

  /// Returns how many decimal digits, in `[0, 8]`, a word begins with.
  public static int digits(long word) {
    long x = values(word);
    long others = (((x & LOWS) + 0x7676767676767676L) | x) & HIGHS;
    return Long.numberOfTrailingZeros(others) >>> 3;
  }

  /// Returns the values of the digits in a word, each in its byte; anything for other bytes.
  static long values(long word) {
    return word ^ ZEROS;
  }

  /// Finds bytes that are not values of digits: if there is any, some bit of [#MISSED] is set in
  /// it; else none is set.
  static long misses(long values) {
    return values | (values + 0x0606060606060606L);
  }

  /// Returns the number that eight digits form, the first the highest. A byte 0 is the digit 0, so
  /// a word shifted up gives the number of its first digits only.
  static long number(long values) {
    long v = values * 10 + (values >>> 8);
    return (((v & 0x000000ff000000ffL) * 0x000f424000000064L)
            + (((v >>> 16) & 0x000000ff000000ffL) * 0x0000271000000001L))
        >>> 32;
  }

  public static long blanksEnd(long from, long to) {
    long at = from;
    while (at < to && isBlank(load(at))) {
      at++;
    }
    return at;
  }

  public static long blanksStart(long from, long to) {
    long at = to;
    while (at > from && isBlank(load(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /// Returns whether a text is made of some bytes.
  public static boolean isText(long from, long to, byte[] bytes) {
    if (bytes.length != to - from) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (load(from + i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  static boolean isAscii(long from, long to) {
    long seen = 0;
    long at = from;
    for (; at + 8 <= to; at += 8) {
      seen |= word(at);
    }
    seen |= Swar.first(word(at), to - at);
    return high(seen) == 0;
  }
}
