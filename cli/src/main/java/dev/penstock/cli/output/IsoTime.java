package dev.penstock.cli.output;

import dev.penstock.schema.DataType.TimeUnit;

/// Writes dates and times in ISO 8601, for any 64-bit count, including times before 1970 and after
/// the year 9999; such years have a sign, as in `java.time`.
///
/// Caches the last date, because neighbouring values mostly share it. Not thread-safe.
final class IsoTime {
  private static final long SECONDS_PER_DAY = 86_400;
  // Days of 400 years, after which the calendar repeats.
  private static final long DAYS_PER_ERA = 146_097;
  // Days from 0000-03-01, where the computation's years begin, to 1970-01-01.
  private static final long DAYS_TO_1970 = 719_468;

  private long lastDay = Long.MIN_VALUE;
  private long year;
  private int month;
  private int day;

  /// Writes a date without quotes.
  ///
  /// @param epochDay days since 1970-01-01
  void date(long epochDay, OutputBuffer out) {
    if (epochDay != lastDay) {
      split(epochDay);
    }
    if (year >= 0 && year <= 9999) {
      out.digits(year, 4);
    } else if (year > 9999) {
      out.write('+');
      out.integer(year);
    } else if (year >= -9999) {
      out.write('-');
      out.digits(-year, 4);
    } else {
      out.integer(year);
    }
    out.write('-');
    out.digits(month, 2);
    out.write('-');
    out.digits(day, 2);
  }

  /// Writes a time of day without quotes, with the unit's digits.
  ///
  /// @param count units since midnight
  static void time(long count, TimeUnit unit, OutputBuffer out) {
    long rest = count;
    if (rest < 0) {
      out.write('-');
      rest = rest == Long.MIN_VALUE ? Long.MAX_VALUE : -rest;
    }
    long second = rest / unit.perSecond();
    long hour = second / 3600;
    if (hour < 100) {
      out.digits(hour, 2);
    } else {
      out.integer(hour);
    }
    out.write(':');
    out.digits(second / 60 % 60, 2);
    out.write(':');
    out.digits(second % 60, 2);
    out.write('.');
    out.digits(rest % unit.perSecond(), unit.digits());
  }

  /// Writes a point in time without quotes, with the unit's digits.
  ///
  /// @param count units since 1970-01-01T00:00:00
  void timestamp(long count, TimeUnit unit, boolean utc, OutputBuffer out) {
    long perDay = SECONDS_PER_DAY * unit.perSecond();
    date(Math.floorDiv(count, perDay), out);
    out.write('T');
    time(Math.floorMod(count, perDay), unit, out);
    if (utc) {
      out.write('Z');
    }
  }

  /// Writes a date as a JSON string, see [#date].
  void quotedDate(long epochDay, OutputBuffer out) {
    out.write('"');
    date(epochDay, out);
    out.write('"');
  }

  /// Writes a time of day as a JSON string, see [#time].
  static void quotedTime(long count, TimeUnit unit, OutputBuffer out) {
    out.write('"');
    time(count, unit, out);
    out.write('"');
  }

  /// Writes a point in time as a JSON string, see [#timestamp].
  void quotedTimestamp(long count, TimeUnit unit, boolean utc, OutputBuffer out) {
    out.write('"');
    timestamp(count, unit, utc, out);
    out.write('"');
  }

  /*
   * The proleptic Gregorian calendar in closed form: years are counted from March, so that the leap
   * day is a year's last and month lengths follow one line, (153 * month + 2) / 5.
   */
  private void split(long epochDay) {
    lastDay = epochDay;
    long shifted = epochDay + DAYS_TO_1970;
    long era = Math.floorDiv(shifted, DAYS_PER_ERA);
    long dayOfEra = Math.floorMod(shifted, DAYS_PER_ERA);
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long marchMonth = (5 * dayOfYear + 2) / 153;
    day = (int) (dayOfYear - (153 * marchMonth + 2) / 5 + 1);
    month = (int) (marchMonth < 10 ? marchMonth + 3 : marchMonth - 9);
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  }
}
