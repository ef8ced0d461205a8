package dev.penstock.internal.filter;

import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.internal.number.Float16;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;

/// Turns a comparison with a literal into one with a value of the column's type.
///
/// Columns that count something (integers, dates, times, timestamps, unscaled decimals) are
/// compared with the exact number of the literal, in the column's unit, even if the column cannot
/// hold it: `x < 2.5` becomes `x <= 2`, and `x = 2.5` is false for every value.
final class LiteralBinder {
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

  private LiteralBinder() {}

  static Test compare(Field field, Operator operator, Literal literal) {
    try {
      return compared(field, operator, literal);
    } catch (DateTimeException e) {
      throw e.getCause() == null // else it has the form
          ? mismatch(field, literal)
          : mismatch(field, literal, "there is no such day or time");
    }
  }

  private static Test compared(Field field, Operator operator, Literal literal) {
    return switch (field.type()) {
      case DataType.Bool _ when literal instanceof Literal.Bool(boolean value) ->
          new Test.Compare(operator, value);
      case DataType.Int(int bits, boolean signed) when isNumber(literal) ->
          integer(operator, literal, bits, signed);
      case DataType.Floating(int bits) when isNumber(literal) ->
          new Test.Compare(operator, floating(literal, bits));
      case DataType.Decimal(int _, int scale) when isNumber(literal) ->
          decimal(operator, literal, scale);
      case DataType.Utf8 _ when literal instanceof Literal.Text(String value) ->
          new Test.Compare(operator, utf8(field, value));
      case DataType.Uuid _ when literal instanceof Literal.Text(String value) ->
          new Test.Compare(operator, uuid(field, value));
      case DataType.Uuid _ when literal instanceof Literal.Bytes bytes ->
          bytes(operator, bytes, 16);
      case DataType.Binary _ when literal instanceof Literal.Bytes bytes ->
          new Test.Compare(operator, ByteString.of(bytes.toByteArray()));
      case DataType.FixedBinary(int width) when literal instanceof Literal.Bytes bytes ->
          bytes(operator, bytes, width);
      case DataType.FixedBinary(int width)
          when width == 16 && literal instanceof Literal.Text(String value) ->
          new Test.Compare(operator, uuid(field, value));
      case DataType.Date _ ->
          counted(operator, BigDecimal.valueOf(day(field, literal).toEpochDay()), 32);
      case DataType.Time(TimeUnit unit, boolean _) ->
          counted(
              operator,
              inUnit(0, time(field, literal).toNanoOfDay(), unit),
              field.type().byteWidth() * 8);
      case DataType.Timestamp(TimeUnit unit, boolean utc) -> {
        Instant point = point(field, literal, utc);
        yield counted(operator, inUnit(point.getEpochSecond(), point.getNano(), unit), 64);
      }
      default -> throw mismatch(field, literal);
    };
  }

  /// Compares with bytes of any length; bytes whose length differs from that of all values equal
  /// none.
  private static Test bytes(Operator operator, Literal.Bytes literal, int width) {
    ByteString value = ByteString.of(literal.toByteArray());
    boolean equality = operator == Operator.EQ || operator == Operator.NE;
    return equality && value.length() != width
        ? new Test.Constant(operator == Operator.NE)
        : new Test.Compare(operator, value);
  }

  private static boolean isNumber(Literal literal) {
    return literal instanceof Literal.Num || literal instanceof Literal.Infinity;
  }

  private static Test integer(Operator operator, Literal literal, int bits, boolean signed) {
    if (literal instanceof Literal.Infinity(boolean negative)) {
      return beyond(operator, negative);
    }
    BigDecimal value = ((Literal.Num) literal).value();
    BigInteger least = signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    BigInteger most = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    return counted(operator, value, least, most, bits == 64 && !signed);
  }

  private static Test counted(Operator operator, BigDecimal value, int bits) {
    BigInteger limit = BigInteger.ONE.shiftLeft(bits - 1);
    return counted(operator, value, limit.negate(), limit.subtract(BigInteger.ONE), false);
  }

  private static Test counted(
      Operator operator, BigDecimal value, BigInteger least, BigInteger most, boolean big) {
    // Compared first: a huge exponent must not become a huge integer.
    if (value.compareTo(new BigDecimal(least)) < 0) {
      return beyond(operator, true);
    }
    if (value.compareTo(new BigDecimal(most)) > 0) {
      return beyond(operator, false);
    }
    BigInteger floor = floor(value, 0).unscaledValue();
    boolean exact = value.compareTo(new BigDecimal(floor)) == 0;
    return rounded(operator, exact, big ? floor : (Comparable<?>) (Long) floor.longValueExact());
  }

  /// Rounds down to `scale` digits after the point.
  private static BigDecimal floor(BigDecimal value, int scale) {
    // Checked first: the digits of 1e-1000000000 would be written out only to be dropped.
    boolean small = value.precision() - (long) value.scale() <= -scale;
    return value.signum() == 0 || small
        ? BigDecimal.valueOf(value.signum() < 0 ? -1 : 0, scale)
        : value.setScale(scale, RoundingMode.FLOOR);
  }

  /// Compares with the next lower value that the column can hold instead of the exact one.
  private static Test rounded(Operator operator, boolean exact, Comparable<?> floor) {
    if (exact) {
      return new Test.Compare(operator, floor);
    }
    return switch (operator) {
      case EQ -> new Test.Constant(false);
      case NE -> new Test.Constant(true);
      case LT, LE -> new Test.Compare(Operator.LE, floor);
      case GT, GE -> new Test.Compare(Operator.GT, floor);
    };
  }

  /// Compares with a value below or above all values that the column can hold.
  private static Test beyond(Operator operator, boolean below) {
    return new Test.Constant(operator.test(below ? 1 : -1));
  }

  /// Rounds to the nearest value that the column can hold; zero is positive.
  private static Comparable<?> floating(Literal literal, int bits) {
    double value =
        switch (literal) {
          case Literal.Infinity(boolean negative) ->
              negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
          default -> rounded(((Literal.Num) literal).value(), bits);
        };
    return bits == 64 ? (Comparable<?>) (Double) value : (Comparable<?>) (Float) (float) value;
  }

  /// Returns the nearest floating-point number of a width; zero is positive.
  static double rounded(BigDecimal value, int bits) {
    return switch (bits) {
      case 64 -> value.doubleValue() + 0.0;
      case 32 -> value.floatValue() + 0f;
      default -> Float.float16ToFloat(Float16.nearest(value)) + 0f;
    };
  }

  private static Test decimal(Operator operator, Literal literal, int scale) {
    if (literal instanceof Literal.Infinity(boolean negative)) {
      return beyond(operator, negative);
    }
    BigDecimal value = ((Literal.Num) literal).value();
    // A decimal has at most 76 digits; larger numbers need not be written out.
    if (value.signum() != 0 && value.precision() - (long) value.scale() > 80) {
      return beyond(operator, value.signum() < 0);
    }
    BigDecimal floor = floor(value, scale);
    return rounded(operator, floor.compareTo(value) == 0, floor);
  }

  private static LocalDate day(Field field, Literal literal) {
    return switch (literal) {
      case Literal.Day(LocalDate day) -> day;
      case Literal.Text(String text) -> LocalDate.parse(text);
      default -> throw mismatch(field, literal);
    };
  }

  private static LocalTime time(Field field, Literal literal) {
    return switch (literal) {
      case Literal.TimeOfDay(LocalTime time) -> time;
      case Literal.Text(String text) -> LocalTime.parse(text);
      default -> throw mismatch(field, literal);
    };
  }

  /// Returns a point in time. For a column in UTC, a date and time without a zone is in UTC; a
  /// column of local times does not accept a zone.
  private static Instant point(Field field, Literal literal, boolean utc) {
    return switch (literal instanceof Literal.Text(String text)
        ? Literal.timestamp(text)
        : literal) {
      case Literal.ZonedTimestamp(Instant point) when utc -> point;
      case Literal.LocalTimestamp(LocalDateTime local) -> local.toInstant(ZoneOffset.UTC);
      case Literal.Day(LocalDate day) -> day.atStartOfDay().toInstant(ZoneOffset.UTC);
      default -> throw mismatch(field, literal);
    };
  }

  private static BigDecimal inUnit(long seconds, long nanos, TimeUnit unit) {
    BigDecimal exact =
        BigDecimal.valueOf(seconds).multiply(NANOS_PER_SECOND).add(BigDecimal.valueOf(nanos));
    return exact.scaleByPowerOfTen(unit.digits() - 9);
  }

  static ByteString utf8(Field field, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot compare column '%s' with %s: the text has half of a surrogate pair but"
                  + " strings are UTF-8, which has none.",
              field.name(), new Literal.Text(text)));
    }
    return ByteString.utf8(text);
  }

  private static ByteString uuid(Field field, String text) {
    try {
      UUID uuid = DataType.Uuid.parse(text);
      return ByteString.of(
          ByteBuffer.allocate(16)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits())
              .array());
    } catch (IllegalArgumentException e) {
      throw mismatch(field, new Literal.Text(text));
    }
  }

  static int order(Comparable<?> left, Comparable<?> right) {
    if (left.getClass() != right.getClass()) {
      throw new IllegalArgumentException(
          "Cannot compare '" + left + "' with '" + right + "': they are of two classes.");
    }
    @SuppressWarnings("unchecked") // The classes are the same, and each compares with itself.
    Comparable<Object> mine = (Comparable<Object>) left;
    return mine.compareTo(right);
  }

  private static IllegalArgumentException mismatch(Field field, Literal literal) {
    return mismatch(
        field, literal, "the column is " + field.type() + " but the value is " + kind(literal));
  }

  private static IllegalArgumentException mismatch(Field field, Literal literal, String why) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot compare column '%s' with %s: %s. Expected %s.",
            field.name(), literal, why, expected(field.type())));
  }

  private static String kind(Literal literal) {
    return switch (literal) {
      case Literal.Num _, Literal.Infinity _ -> "a number";
      case Literal.Text _ -> "text";
      case Literal.Bool _ -> "a boolean";
      case Literal.Bytes _ -> "bytes";
      case Literal.Day _ -> "a date";
      case Literal.TimeOfDay _ -> "a time";
      case Literal.LocalTimestamp _ -> "a timestamp without a zone";
      case Literal.ZonedTimestamp _ -> "a timestamp with a zone";
    };
  }

  private static String expected(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> "true or false";
      case DataType.Int _, DataType.Floating _, DataType.Decimal _ -> "a number";
      case DataType.Utf8 _ -> "text in single quotes";
      case DataType.Uuid _ -> "a UUID such as '123e4567-e89b-12d3-a456-426614174000'";
      case DataType.Date _ -> "a date such as '2001-02-03'";
      case DataType.Time _ -> "a time such as '13:45:00'";
      case DataType.Timestamp(TimeUnit _, boolean utc) ->
          utc
              ? "a timestamp such as '2001-02-03T13:45:00Z'"
              : "a timestamp without a zone such as '2001-02-03T13:45:00'";
      case DataType.Binary _ -> "bytes such as x'CAFE'";
      case DataType.FixedBinary(int width) ->
          "bytes such as x'CAFE'"
              + (width == 16 ? ", or a UUID such as '123e4567-e89b-12d3-a456-426614174000'" : "");
      case DataType.Interval _,
          DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          "only 'is null' or 'is not null' for this type";
    };
  }
}
