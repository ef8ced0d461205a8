package dev.penstock.filter;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;

/// A value in a [Filter]. The type of the column it is compared with decides its meaning, when the
/// filter is applied to a schema.
public sealed interface Literal {
  /// A number, exactly as written.
  ///
  /// @param value the number
  record Num(BigDecimal value) implements Literal {
    @Override
    public String toString() {
      return value.toString();
    }
  }

  /// Positive or negative infinity.
  ///
  /// @param negative whether it is below all numbers
  record Infinity(boolean negative) implements Literal {
    @Override
    public String toString() {
      return negative ? "-infinity" : "infinity";
    }
  }

  /// Text. Compared with a column of dates, times, timestamps or UUIDs it is such a value in ISO
  /// form; with a column of 16-byte binaries it is a UUID.
  ///
  /// @param value the text
  record Text(String value) implements Literal {
    @Override
    public String toString() {
      return quoted(value);
    }
  }

  /// True or false.
  ///
  /// @param value which of them
  record Bool(boolean value) implements Literal {
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  /// Bytes.
  ///
  /// @param hex two hexadecimal digits for each byte; kept in upper case
  record Bytes(String hex) implements Literal {
    /// Puts the digits in upper case. Throws [IllegalArgumentException] if the text is anything but
    /// pairs of hexadecimal digits.
    public Bytes {
      hex = hex.toUpperCase(Locale.ROOT);
      if (!hex.matches("([0-9A-F]{2})*")) {
        throw new IllegalArgumentException(
            "Cannot read bytes from "
                + quoted(hex)
                + ": expected two hexadecimal digits for each byte.");
      }
    }

    /// {@return a copy of the bytes}
    public byte[] toByteArray() {
      return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
      return "x" + quoted(hex);
    }
  }

  /// A day.
  ///
  /// @param value the day
  record Day(LocalDate value) implements Literal {
    @Override
    public String toString() {
      return "date " + quoted(value.toString());
    }
  }

  /// A time of day.
  ///
  /// @param value the time
  record TimeOfDay(LocalTime value) implements Literal {
    @Override
    public String toString() {
      return "time " + quoted(DateTimeFormatter.ISO_LOCAL_TIME.format(value));
    }
  }

  /// A date and time without a zone.
  ///
  /// @param value the date and time
  record LocalTimestamp(LocalDateTime value) implements Literal {
    @Override
    public String toString() {
      return "timestamp " + quoted(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(value));
    }
  }

  /// A point in time.
  ///
  /// @param value the point
  record ZonedTimestamp(Instant value) implements Literal {
    @Override
    public String toString() {
      return "timestamp " + quoted(value.toString());
    }
  }

  /// Turns a Java value into a literal.
  ///
  /// @param value a number, `CharSequence`, `Boolean`, `LocalDate`, `LocalTime`, `LocalDateTime`,
  ///   `Instant`, `OffsetDateTime`, `ZonedDateTime`, `UUID` or `byte[]`; a float or double counts
  ///   as the shortest decimal number that parses to it
  /// @return the literal
  /// @throws IllegalArgumentException if it is none of these, or NaN
  static Literal of(Object value) {
    return switch (value) {
      case Literal literal -> literal;
      case BigDecimal number -> new Num(number);
      case BigInteger number -> new Num(new BigDecimal(number));
      case Double number -> floating(number, number.toString());
      case Float number -> floating(number, number.toString());
      case Number number -> new Num(new BigDecimal(number.toString()));
      case CharSequence text -> new Text(text.toString());
      case Boolean truth -> new Bool(truth);
      case LocalDate day -> new Day(day);
      case LocalTime time -> new TimeOfDay(time);
      case LocalDateTime timestamp -> new LocalTimestamp(timestamp);
      case Instant point -> new ZonedTimestamp(point);
      case OffsetDateTime point -> new ZonedTimestamp(point.toInstant());
      case ZonedDateTime point -> new ZonedTimestamp(point.toInstant());
      case UUID uuid -> new Text(uuid.toString());
      case byte[] bytes -> new Bytes(HexFormat.of().formatHex(bytes));
      default ->
          throw new IllegalArgumentException(
              "Cannot filter by a "
                  + value.getClass().getSimpleName()
                  + ": expected a number, string, boolean, date, time, timestamp, UUID or"
                  + " bytes.");
    };
  }

  /// Parses a timestamp in ISO form; a space may replace the `T`, and a date alone means midnight.
  ///
  /// @param text for example `2001-02-03T13:45:00`; with `Z` or an offset it is a point in time
  /// @return a [LocalTimestamp], or with a zone a [ZonedTimestamp]
  /// @throws java.time.DateTimeException if it is not a timestamp
  static Literal timestamp(String text) {
    String iso = text.replace(' ', 'T');
    if (!iso.contains("T")) {
      return new LocalTimestamp(LocalDate.parse(iso).atStartOfDay());
    }
    Matcher zoned = FilterLexer.ZONED.matcher(iso);
    return zoned.matches()
        ? new ZonedTimestamp(
            LocalDateTime.parse(zoned.group(1)).toInstant(ZoneOffset.of(zoned.group(2))))
        : new LocalTimestamp(LocalDateTime.parse(iso));
  }

  private static Literal floating(double value, String text) {
    if (Double.isNaN(value)) {
      throw Advice.argumentError(
          "Cannot compare with NaN: it neither equals nor orders with anything. Use %s.",
          Remedy.of("where", "is nan", "isNaN()"));
    }
    return Double.isInfinite(value) ? new Infinity(value < 0) : new Num(new BigDecimal(text));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
