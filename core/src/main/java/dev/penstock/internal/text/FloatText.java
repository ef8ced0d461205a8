package dev.penstock.internal.text;

import dev.penstock.internal.number.Float16;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Parses floating-point numbers, correctly rounded: gives the results of [Double#parseDouble] for
/// decimal digits with an optional sign, point and exponent, and accepts spellings of NaN and
/// infinity.
final class FloatText {
  /// The result of [#bits] if the text is not a number: a NaN that no text stands for.
  static final long NONE = 0x7ff8_4e4f_4e45_0001L;

  private static final long INFINITY = 0x7ff0_0000_0000_0000L;
  private static final int POWER_MIN = -342;
  private static final int POWER_MAX = 308;

  /// The powers of ten that are doubles.
  private static final double[] TENS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long[] INTEGER_TENS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  /*
   * Five to the power p + 342, as the highest 128 bits of a number whose first bit is 1: high word,
   * low word. Rounded up for powers below zero, cut off above, as the proof of the method requires
   * (D. Lemire, "Number Parsing at a Gigabyte per Second", 2021).
   */
  private static final long[] FIVES = new long[2 * (POWER_MAX - POWER_MIN + 1)];

  static {
    BigInteger five = BigInteger.ONE;
    for (int p = 0; p <= Math.max(POWER_MAX, -POWER_MIN); p++) {
      if (p <= POWER_MAX) {
        int excess = five.bitLength() - 128;
        put(p, excess >= 0 ? five.shiftRight(excess) : five.shiftLeft(-excess));
      }
      if (p > 0 && -p >= POWER_MIN) {
        int bits = five.subtract(BigInteger.ONE).bitLength();
        int shift = p <= 27 ? bits + 127 : 2 * bits + 128;
        BigInteger inverse = BigInteger.ONE.shiftLeft(shift).divide(five).add(BigInteger.ONE);
        put(-p, inverse.shiftRight(Math.max(0, inverse.bitLength() - 128)));
      }
      five = five.multiply(BigInteger.valueOf(5));
    }
  }

  private static void put(int power, BigInteger value) {
    FIVES[2 * (power - POWER_MIN)] = value.shiftRight(64).longValue();
    FIVES[2 * (power - POWER_MIN) + 1] = value.longValue();
  }

  private FloatText() {}

  /// Returns the bits of the `double` nearest to the text between two addresses, or [#NONE] if it
  /// is not a number.
  static long bits(long from, long to) {
    /*
     * The form of nearly all numbers: an optional minus, 1 to 7 digits, a point, digits. The point
     * is removed from the first word; then all digits are eight, eight and up to eight more. Their
     * number follows from the length, so the only branches are on the number of words. Bytes after
     * the number may be anything, even digits.
     */
    long minus = (((Swar.load(from) & 0xffL) ^ '-') - 1) >>> 63;
    long first = from + minus;
    int count = (int) (to - first - 1);
    long word = Swar.word(first);
    int whole = Swar.digits(word);
    boolean plain = count >= whole && count > 0 && count <= 24;
    if (!plain || (byte) (word >>> (8 * whole)) != '.') {
      return general(from, to);
    }
    long before = (1L << (8 * whole)) - 1;
    long digits = Swar.values((word & before) | (Swar.word(first + 1) & ~before));
    long value;
    long misses;
    if (count <= 8) {
      digits <<= 64 - 8 * count;
      misses = Swar.misses(digits);
      value = Swar.number(digits);
    } else if (count <= 16) {
      long more = Swar.values(Swar.word(first + 9)) << (128 - 8 * count);
      misses = Swar.misses(digits) | Swar.misses(more);
      value = Swar.number(digits) * INTEGER_TENS[count - 8] + Swar.number(more);
    } else {
      long more = Swar.values(Swar.word(first + 9));
      long last = Swar.values(Swar.word(first + 17)) << (192 - 8 * count);
      misses = Swar.misses(digits) | Swar.misses(more) | Swar.misses(last);
      value = Swar.number(digits);
      if (count > 19 && value >= INTEGER_TENS[27 - count]) {
        return general(from, to); // More than 19 digits without leading zeros.
      }
      value = value * INTEGER_TENS[8] + Swar.number(more);
      value = value * INTEGER_TENS[count - 16] + Swar.number(last);
    }
    if ((misses & Swar.MISSED) != 0) {
      return general(from, to);
    }
    long bits = nearest(value, whole - count);
    return bits < 0 ? slow(from, to) : bits | (minus << 63);
  }

  /// Returns the same as [#bits], for all texts.
  private static long general(long from, long to) {
    long at = from;
    boolean negative = false;
    if (at < to) {
      byte first = Swar.load(at);
      negative = first == '-';
      at += negative || first == '+' ? 1 : 0;
    }
    // The digits without the point and leading zeros. With more than 19, the sum overflows and is
    // not used.
    long value = 0;
    long digits = 0;
    long exponent = 0;
    boolean any = false;
    boolean point = false;
    for (; at < to; at++) {
      int digit = Swar.load(at) - '0';
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        digits += digits > 0 || digit > 0 ? 1 : 0;
        exponent -= point ? 1 : 0;
        any = true;
      } else if (digit == '.' - '0' && !point) {
        point = true;
      } else {
        break;
      }
    }
    if (!any) {
      return named(from, to);
    }
    if (at < to) {
      if ((Swar.load(at) | 0x20) != 'e') {
        return NONE;
      }
      at++;
      boolean minus = false;
      if (at < to) {
        byte sign = Swar.load(at);
        minus = sign == '-';
        at += minus || sign == '+' ? 1 : 0;
      }
      if (at == to) {
        return NONE;
      }
      long stated = 0;
      for (; at < to; at++) {
        int digit = Swar.load(at) - '0';
        if (digit < 0 || digit > 9) {
          return NONE;
        }
        stated = Math.min(stated * 10 + digit, 1_000_000_000L);
      }
      exponent += minus ? -stated : stated;
    }
    long bits = digits > 19 ? -1 : nearest(value, exponent);
    return bits < 0 ? slow(from, to) : negative ? bits | Long.MIN_VALUE : bits;
  }

  /// Returns the bits of the double nearest to `value * 10^power`, or a negative number if this
  /// method cannot decide. `value` is unsigned.
  private static long nearest(long value, long power) {
    if (value >>> 53 == 0 && power <= 0 && power > -TENS.length) {
      // Both are doubles, so their quotient is rounded once.
      return Double.doubleToRawLongBits(value / TENS[(int) -power]);
    }
    if (value == 0) {
      return 0;
    }
    if (power < POWER_MIN || power > POWER_MAX) {
      return -1;
    }
    int zeros = Long.numberOfLeadingZeros(value);
    long shifted = value << zeros;
    int index = 2 * (int) (power - POWER_MIN);
    long high = Math.unsignedMultiplyHigh(shifted, FIVES[index]);
    long low = shifted * FIVES[index];
    if ((high & 0x1ff) == 0x1ff) {
      long more = Math.unsignedMultiplyHigh(shifted, FIVES[index + 1]);
      low += more;
      if (Long.compareUnsigned(low, more) < 0) {
        high++;
      }
    }
    if (low == -1 && (power < -27 || power > 55)) {
      return -1;
    }
    int upper = (int) (high >>> 63);
    long mantissa = high >>> (upper + 9);
    int binary = (int) ((217_706 * power) >> 16) + 63 + upper - zeros + 1023;
    if (binary <= 0) {
      return -1; // Subnormal.
    }
    if (Long.compareUnsigned(low, 1) <= 0
        && power >= -4
        && power <= 23
        && (mantissa & 3) == 1
        && mantissa << (upper + 9) == high) {
      mantissa &= ~1; // Halfway between two numbers: rounds to the even one.
    }
    // Rounding up may make the mantissa 2^53: its bit 52, which is hidden, then adds two.
    long bits = ((long) (binary - 1) << 52) + ((mantissa + (mantissa & 1)) >>> 1);
    return bits >= INFINITY ? -1 : bits;
  }

  /// Returns the bits of the `float` nearest to a text, or -1 if it is not a number; -1 are the
  /// bits of a NaN that is never returned otherwise.
  static int floatBits(long from, long to) {
    long bits = bits(from, to);
    if (bits == NONE) {
      return -1;
    }
    // Rounding twice is wrong only if the double is halfway between two floats, or at the ends.
    double number = Double.longBitsToDouble(bits);
    double size = Math.abs(number);
    boolean plain = size >= 1.2e-38 && size <= 3.4e38 && (bits & 0x1fff_ffffL) != 0x1000_0000L;
    if (plain || size == 0 || Double.isNaN(number)) {
      return Float.floatToIntBits((float) number);
    }
    return Float.floatToIntBits(Float.parseFloat(TextColumn.text(from, to)));
  }

  /// Returns the bits of the `float16` nearest to a text, or -1 if it is not a number.
  static int halfBits(long from, long to) {
    long bits = bits(from, to);
    if (bits == NONE) {
      return -1;
    }
    double number = Double.longBitsToDouble(bits);
    short half = Float16.nearest(number);
    // As above: the middle of two halves always ends with zeros.
    boolean plain = (bits & 0x1ff_ffff_ffffL) != 0 || Float.float16ToFloat(half) == number;
    return plain || Double.isNaN(number)
        ? half
        : Float16.nearest(new BigDecimal(TextColumn.text(from, to)));
  }

  private static long slow(long from, long to) {
    return Double.doubleToLongBits(Double.parseDouble(TextColumn.text(from, to)));
  }

  private static long named(long from, long to) {
    if (to - from < 3 || to - from > 9) {
      return NONE;
    }
    return switch (TextColumn.text(from, to).toLowerCase(java.util.Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> Double.doubleToLongBits(Double.NaN);
      case "inf", "+inf", "infinity", "+infinity" ->
          Double.doubleToLongBits(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> Double.doubleToLongBits(Double.NEGATIVE_INFINITY);
      default -> NONE;
    };
  }
}
