package dev.penstock.internal.text;

import dev.penstock.internal.memory.Raw;

/// Eight bytes at a time, by address: the byte at the lowest address is the lowest of the word.
///
/// Addresses must be proven before; a load may go up to 7 bytes behind what is looked at, which the
/// padding of every buffer of text allows.
public final class Words {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;

  private Words() {}

  /// Loads a byte.
  ///
  /// @param address where
  /// @return the byte
  public static byte load(long address) {
    return Raw.ALL.get(Raw.BYTE, address);
  }

  /// Loads a word.
  ///
  /// @param address where it starts
  /// @return the word
  public static long word(long address) {
    return Raw.ALL.get(Raw.LONG, address);
  }

  /// Returns a word of one byte, for [#match].
  ///
  /// @param value the byte
  /// @return eight of it
  public static long of(byte value) {
    return (value & 0xffL) * ONES;
  }

  /// Finds a byte in a word, exactly.
  ///
  /// @param word where to look
  /// @param wanted eight of the byte
  /// @return the high bit of each byte that is equal, all else zero
  public static long match(long word, long wanted) {
    long x = word ^ wanted;
    return ~(((x & LOWS) + LOWS) | x | LOWS);
  }

  /// Returns whether a word may have a byte of ASCII below some: where not, it need not be looked
  /// at for any of them.
  ///
  /// @param word where to look
  /// @param limit eight of a byte, at most 0x80
  /// @return false only if all its bytes are at least that, or outside ASCII
  public static boolean mayHaveBelow(long word, long limit) {
    return ((word - limit) & ~word & HIGHS) != 0;
  }

  /// Finds bytes outside ASCII.
  ///
  /// @param word where to look
  /// @return the high bit of each
  static long high(long word) {
    return word & HIGHS;
  }

  /// Returns which matches are among the first bytes of a word.
  ///
  /// @param matches what [#match] gave
  /// @param bytes how many bytes count
  /// @return the others removed
  public static long first(long matches, long bytes) {
    return bytes >= 8 ? matches : matches & ((1L << (8 * bytes)) - 1);
  }

  /// Returns the place of the first match.
  ///
  /// @param matches what [#match] gave, not zero
  /// @return its byte, in `[0, 8)`
  public static int place(long matches) {
    return Long.numberOfTrailingZeros(matches) >>> 3;
  }

  /// Returns whether all bytes of a word are decimal digits.
  static boolean isDigits(long word) {
    return ((word & 0xf0f0f0f0f0f0f0f0L)
            | (((word + 0x0606060606060606L) & 0xf0f0f0f0f0f0f0f0L) >>> 4))
        == 0x3333333333333333L;
  }

  /// Returns the number that eight digits are, the first the highest.
  static long number(long digits) {
    long v = digits - 0x3030303030303030L;
    v = v * 10 + (v >>> 8);
    return (((v & 0x000000ff000000ffL) * 0x000f424000000064L)
            + (((v >>> 16) & 0x000000ff000000ffL) * 0x0000271000000001L))
        >>> 32;
  }

  /// Returns whether a range has nothing but ASCII.
  static boolean isAscii(long from, long to) {
    long seen = 0;
    long at = from;
    for (; at + 8 <= to; at += 8) {
      seen |= word(at);
    }
    seen |= Words.first(word(at), to - at);
    return high(seen) == 0;
  }
}
