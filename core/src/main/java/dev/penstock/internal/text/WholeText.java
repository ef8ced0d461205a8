package dev.penstock.internal.text;

import java.nio.charset.StandardCharsets;

/// Parses whole numbers: an optional sign and decimal digits, nothing else.
final class WholeText {
  /// The result of [#signed] for any other text; [#isNone] distinguishes it from the least number.
  static final long NONE = Long.MIN_VALUE;

  private static final byte[] LEAST = "9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  private WholeText() {}

  static long signed(long from, long to) {
    long at = from;
    boolean negative = false;
    if (at < to) {
      byte first = Swar.load(at);
      negative = first == '-';
      at += negative || first == '+' ? 1 : 0;
    }
    while (to - at > 19 && Swar.load(at) == '0') {
      at++;
    }
    if (at == to || to - at > 19) {
      return NONE;
    }
    // At most 19 digits: below 10^19, so the sum never leaves the unsigned range. The first word
    // has the digits left over by the others, which are full.
    int count = (int) ((to - at - 1) & 7) + 1;
    long values = Swar.values(Swar.word(at)) << (64 - 8 * count);
    long misses = Swar.misses(values);
    long value = Swar.number(values);
    for (at += count; at < to; at += 8) {
      values = Swar.values(Swar.word(at));
      misses |= Swar.misses(values);
      value = value * 100_000_000L + Swar.number(values);
    }
    if ((misses & Swar.MISSED) != 0) {
      return NONE;
    }
    if (value >= 0) {
      return negative ? -value : value;
    }
    return NONE; // Out of range, or the least number, which is NONE itself.
  }

  /// Returns whether a text, for which [#signed] returned [#NONE], is out of range or not a number.
  /// Only the least number, with or without leading zeros, is neither.
  static boolean isNone(long from, long to) {
    long first = to - LEAST.length;
    if (first <= from || Swar.load(from) != '-') {
      return true;
    }
    for (long at = from + 1; at < to; at++) {
      if (Swar.load(at) != (at < first ? '0' : LEAST[(int) (at - first)])) {
        return true;
      }
    }
    return false;
  }

  /// Returns whether the text is an optional sign and any number of digits.
  static boolean isWhole(long from, long to) {
    long at = from;
    if (at < to && (Swar.load(at) == '-' || Swar.load(at) == '+')) {
      at++;
    }
    if (at == to) {
      return false;
    }
    for (; at < to; at++) {
      int digit = Swar.load(at) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
    }
    return true;
  }
}
