package dev.penstock.internal.table;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.number.Float16;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;

/// Turns values from users and folders into values of a column's type, of the class that [Bound]
/// names for it. NaN is allowed.
public final class Constants {
  private static final BigDecimal UINT64_END = BigDecimal.valueOf(2).pow(64);

  private Constants() {}

  /// Returns a user's object as a value of a type that is not nested. The object is of the class in
  /// which columns of the type are delivered; for a type of numbers it may be any number.
  ///
  /// Throws [IllegalArgumentException] if the type has no such value; the message is the reason.
  public static Comparable<?> of(DataType type, Object object) {
    try {
      return value(type, object);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Sentence.of(
              "'%s' (%s) is no value of type %s", object, object.getClass().getSimpleName(), type),
          e);
    }
  }

  private static Comparable<?> value(DataType type, Object object) {
    return switch (type) {
      case DataType.Bool _ when object instanceof Boolean value -> value;
      case DataType.Int integer when object instanceof Number number ->
          integer(integer, exact(number));
      case DataType.Floating(int bits) when object instanceof Number number ->
          floating(bits, number);
      case DataType.Decimal decimal when object instanceof Number number ->
          decimal(decimal, exact(number));
      case DataType.Utf8 _ when object instanceof CharSequence text ->
          ByteString.utf8(text.toString());
      case DataType.Binary _ when object instanceof byte[] bytes -> ByteString.of(bytes);
      case DataType.FixedBinary(int width)
          when object instanceof byte[] bytes && bytes.length == width ->
          ByteString.of(bytes);
      case DataType.Uuid _ when object instanceof UUID uuid ->
          ByteString.of(
              ByteBuffer.allocate(16)
                  .putLong(uuid.getMostSignificantBits())
                  .putLong(uuid.getLeastSignificantBits())
                  .array());
      case DataType.Date _ when object instanceof LocalDate date ->
          (Long) (long) Math.toIntExact(date.toEpochDay());
      case DataType.Time(DataType.TimeUnit unit, boolean _) when object instanceof LocalTime time ->
          ticks(time.toSecondOfDay(), time.toNanoOfDay() % 1_000_000_000, unit);
      case DataType.Timestamp(DataType.TimeUnit unit, boolean utc)
          when utc && object instanceof Instant instant ->
          ticks(instant, unit);
      case DataType.Timestamp(DataType.TimeUnit unit, boolean utc)
          when !utc && object instanceof LocalDateTime local ->
          ticks(local.toInstant(ZoneOffset.UTC), unit);
      default -> throw new ArithmeticException();
    };
  }

  /// Returns the text of a folder's name as a value of a type. Throws [IllegalArgumentException] if
  /// it is not one.
  static Comparable<?> parse(DataType type, String text) {
    try {
      return switch (type) {
        case DataType.Bool _ when text.equalsIgnoreCase("true") -> true;
        case DataType.Bool _ when text.equalsIgnoreCase("false") -> false;
        case DataType.Int _ -> value(type, new BigInteger(ascii(text)));
        case DataType.Decimal _ -> value(type, new BigDecimal(ascii(text)));
        case DataType.Floating(int bits) -> floating(bits, number(text));
        case DataType.Utf8 _ -> ByteString.utf8(text);
        case DataType.Date _ -> value(type, LocalDate.parse(text));
        default -> throw new DateTimeException("");
      };
    } catch (ArithmeticException | NumberFormatException | DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is no value of type " + type, e);
    }
  }

  static boolean isParsed(DataType type) {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Decimal _,
          DataType.Utf8 _,
          DataType.Date _ ->
          true;
      default -> false;
    };
  }

  /// Java parses the digits of all scripts, but values in files use only ASCII digits.
  private static String ascii(String text) {
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(text)) {
      throw new NumberFormatException();
    }
    return text;
  }

  /// Returns an exact number, or a double for NaN, infinities and -0.
  private static Number number(String text) {
    double near = Double.parseDouble(text);
    if (!Double.isFinite(near)) {
      return near;
    }
    BigDecimal exact = new BigDecimal(text);
    return near == 0 ? (Number) near : exact;
  }

  private static BigDecimal exact(Number number) {
    return switch (number) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Double _, Float _ when Double.isFinite(number.doubleValue()) ->
          new BigDecimal(number.toString());
      case Double _, Float _ -> throw new ArithmeticException();
      default -> BigDecimal.valueOf(number.longValue());
    };
  }

  private static Comparable<?> integer(DataType.Int type, BigDecimal value) {
    if (!type.signed() && type.bits() == 64) {
      if (value.signum() < 0 || value.compareTo(UINT64_END) >= 0) {
        throw new ArithmeticException();
      }
      return value.toBigIntegerExact();
    }
    long number = value.longValueExact();
    long least = type.signed() ? Long.MIN_VALUE >> (64 - type.bits()) : 0;
    long most = type.signed() ? ~least : -1L >>> (64 - type.bits());
    if (number < least || number > most) {
      throw new ArithmeticException();
    }
    return number;
  }

  private static Comparable<?> floating(int bits, Number number) {
    return switch (bits) {
      case 64 -> number.doubleValue();
      case 32 -> number.floatValue();
      default -> Float.float16ToFloat(Float16.nearest(number));
    };
  }

  private static BigDecimal decimal(DataType.Decimal type, BigDecimal value) {
    if (Math.abs((long) value.precision() - value.scale()) > 100) {
      throw new ArithmeticException(); // before 1e999999999 is written out
    }
    BigDecimal scaled = value.setScale(type.scale());
    if (scaled.precision() > type.precision()) {
      throw new ArithmeticException();
    }
    return scaled;
  }

  private static Long ticks(Instant time, DataType.TimeUnit unit) {
    return ticks(time.getEpochSecond(), time.getNano(), unit);
  }

  private static Long ticks(long seconds, long nanos, DataType.TimeUnit unit) {
    long nanosPerTick = 1_000_000_000 / unit.perSecond();
    if (nanos % nanosPerTick != 0) {
      throw new ArithmeticException();
    }
    long start = Math.multiplyExact(seconds, unit.perSecond());
    return Math.addExact(start, nanos / nanosPerTick);
  }
}
