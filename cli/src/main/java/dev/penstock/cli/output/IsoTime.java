package dev.penstock.cli.output;

import dev.penstock.schema.DataType.TimeUnit;
import java.time.LocalDate;

/// Writes dates and times in ISO 8601 as text, for any 64-bit count, including times before 1970
/// and after the year 9999; such years have a sign, as in `java.time`.
///
/// Caches the last date, because neighbouring values mostly share it. Not thread-safe.
final class IsoTime {
  private static final long SECONDS_PER_DAY = 86_400;

  private long lastDay;
  private LocalDate lastDate = LocalDate.EPOCH;

  /// Writes a date.
  ///
  /// @param epochDay days since 1970-01-01
  void date(long epochDay, OutputBuffer out) {
    out.quote();
    day(epochDay, out);
    out.quote();
  }

  /// Writes a time of day, with the unit's digits.
  ///
  /// @param count units since midnight
  static void time(long count, TimeUnit unit, OutputBuffer out) {
    out.quote();
    clock(count, unit, out);
    out.quote();
  }

  /// Writes a point in time, with the unit's digits.
  ///
  /// @param count units since 1970-01-01T00:00:00
  void timestamp(long count, TimeUnit unit, boolean utc, OutputBuffer out) {
    long perDay = SECONDS_PER_DAY * unit.perSecond();
    out.quote();
    day(Math.floorDiv(count, perDay), out);
    out.write('T');
    clock(Math.floorMod(count, perDay), unit, out);
    out.ascii(utc ? "Z" : "");
    out.quote();
  }

  private void day(long epochDay, OutputBuffer out) {
    if (epochDay != lastDay) {
      lastDay = epochDay;
      lastDate = LocalDate.ofEpochDay(epochDay);
    }
    int year = lastDate.getYear();
    if (year < 0 || year > 9999) {
      out.write(year < 0 ? '-' : '+');
    }
    padded(Math.abs(year), 1000, out);
    out.write('-');
    out.digits(lastDate.getMonthValue(), 2);
    out.write('-');
    out.digits(lastDate.getDayOfMonth(), 2);
  }

  private static void clock(long count, TimeUnit unit, OutputBuffer out) {
    long rest = count;
    if (rest < 0) {
      out.write('-');
      rest = rest == Long.MIN_VALUE ? Long.MAX_VALUE : -rest;
    }
    long second = rest / unit.perSecond();
    padded(second / 3600, 10, out);
    out.write(':');
    out.digits(second / 60 % 60, 2);
    out.write(':');
    out.digits(second % 60, 2);
    out.write('.');
    out.digits(rest % unit.perSecond(), unit.digits());
  }

  /// Writes a number with as many digits as a power of ten has, or with more.
  private static void padded(long value, long power, OutputBuffer out) {
    for (long limit = power; limit > 1 && value < limit; limit /= 10) {
      out.write('0');
    }
    out.integer(value);
  }
}
