package dev.penstock.internal.text;

import dev.penstock.schema.DataType.TimeUnit;

/// Parses dates and times of ISO 8601: `2001-01-31`, `13:45:00.25`, `2001-01-31T13:45Z`, also with
/// a blank instead of the `T`, and with a sign before a year of more digits.
final class TimeText {
  static final long NONE = Long.MIN_VALUE;

  private static final long DAY_SECONDS = 86_400;
  private static final int YEAR_DIGITS_MAX = 9;

  private TimeText() {}

  /// Returns the number of two digits, or -1.
  private static int two(long at) {
    int high = Swar.load(at) - '0';
    int low = Swar.load(at + 1) - '0';
    return high < 0 || high > 9 || low < 0 || low > 9 ? -1 : 10 * high + low;
  }

  /// Returns the days since 1970-01-01, or [#NONE].
  static long date(long from, long to) {
    int length = dateLength(from, to);
    long days = length == to - from ? days(from, length) : NONE;
    return days == (int) days ? days : NONE;
  }

  /// Returns how many bytes a date takes: ten, or more with a sign and a longer year.
  private static int dateLength(long from, long to) {
    if (to - from < 10) {
      return -1;
    }
    byte first = Swar.load(from);
    if (first != '+' && first != '-') {
      return 10;
    }
    int digits = 0;
    while (digits < YEAR_DIGITS_MAX && Swar.digits(Swar.load(from + 1 + digits)) > 0) {
      digits++;
    }
    return digits < 4 || to - from < digits + 7 ? -1 : digits + 7;
  }

  private static long days(long from, int length) {
    long yearEnd = from + length - 6;
    long year = WholeText.signed(from, yearEnd);
    int month = two(yearEnd + 1);
    int day = two(yearEnd + 4);
    boolean shaped = Swar.load(yearEnd) == '-' && Swar.load(yearEnd + 3) == '-';
    if (!shaped || year == WholeText.NONE || month < 1 || month > 12 || day < 1) {
      return NONE;
    }
    boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int last = month == 2 ? (leap ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
    if (day > last) {
      return NONE;
    }
    // Years begin in March, so that the leap day is their last.
    long shifted = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(shifted, 400);
    long ofEra = shifted - 400 * era;
    int ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return 146_097 * era + 365 * ofEra + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
  }

  /// Reads `hh:mm` or `hh:mm:ss`, the latter with an optional fraction: a time of day in a unit, or
  /// [#NONE] if the text is not one or is finer than the unit.
  static long time(long from, long to, TimeUnit unit) {
    if (to - from < 5 || Swar.load(from + 2) != ':') {
      return NONE;
    }
    int hours = two(from);
    int minutes = two(from + 3);
    int seconds = 0;
    long at = from + 5;
    if (at < to) {
      if (to - at < 3 || Swar.load(at) != ':') {
        return NONE;
      }
      seconds = two(at + 1);
      at += 3;
    }
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) {
      return NONE;
    }
    long fraction = at == to ? 0 : fraction(at, to, unit);
    return fraction < 0
        ? NONE
        : (3600L * hours + 60L * minutes + seconds) * unit.perSecond() + fraction;
  }

  /// Reads a point and digits; zeros beyond the unit are allowed.
  private static long fraction(long from, long to, TimeUnit unit) {
    if (Swar.load(from) != '.' || to - from < 2) {
      return -1;
    }
    long value = 0;
    int places = 0;
    for (long at = from + 1; at < to; at++) {
      int digit = Swar.load(at) - '0';
      if (digit < 0 || digit > 9 || (places >= unit.digits() && digit > 0)) {
        return -1;
      }
      if (places < unit.digits()) {
        value = 10 * value + digit;
        places++;
      }
    }
    for (; places < unit.digits(); places++) {
      value *= 10;
    }
    return value;
  }

  /// Returns a point in time in a unit since 1970, or [#NONE] if the text is not one, is finer than
  /// the unit, or out of range. `utc` says whether the text must, or must not, have an offset from
  /// UTC.
  static long timestamp(long from, long to, TimeUnit unit, boolean utc) {
    int length = dateLength(from, to);
    long days = length < 0 ? NONE : days(from, length);
    if (days == NONE) {
      return NONE;
    }
    long clock = 0;
    long end = to;
    long behind = from + length;
    if (behind < to) {
      byte between = Swar.load(behind);
      if (between != 'T' && between != ' ') {
        return NONE;
      }
      end = zone(behind + 1, to);
      long offset = end == to ? 0 : offset(end, to);
      clock = time(behind + 1, end, unit);
      if (clock == NONE || offset == NONE) {
        return NONE;
      }
      clock -= offset * unit.perSecond();
    }
    if ((end == to) == utc) {
      return NONE;
    }
    long day = DAY_SECONDS * unit.perSecond();
    int nearer = 2 * Long.signum(days); // Days at the ends of the range would overflow.
    try {
      return Math.addExact(Math.multiplyExact(days - nearer, day), clock + nearer * day);
    } catch (ArithmeticException _) {
      return NONE;
    }
  }

  /// Returns where the offset from UTC starts, or the end.
  static long zone(long from, long to) {
    for (long at = to - 1; at >= from && at >= to - 6; at--) {
      byte b = Swar.load(at);
      if (b == 'Z' || b == '+' || b == '-') {
        return at;
      }
    }
    return to;
  }

  /// Returns how many seconds a time is ahead of UTC.
  private static long offset(long from, long to) {
    byte sign = Swar.load(from);
    if (sign == 'Z') {
      return to - from == 1 ? 0 : NONE;
    }
    boolean colon = to - from == 6 && Swar.load(from + 3) == ':';
    if (to - from != 3 && to - from != 5 && !colon) {
      return NONE;
    }
    int hours = two(from + 1);
    int minutes = to - from == 3 ? 0 : two(to - 2);
    if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
      return NONE;
    }
    long seconds = 3600L * hours + 60L * minutes;
    return sign == '-' ? -seconds : seconds;
  }
}
