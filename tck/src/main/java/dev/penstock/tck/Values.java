package dev.penstock.tck;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;

/// Values as the Java objects that mean them, as a batch of
/// [MAP][dev.penstock.batch.OutputFormat#MAP] gives them: lists as `List`, structs as `Map`, maps
/// as a `List` of `Map.Entry`. Bytes are text of hexadecimal digits instead, so that they can be
/// compared.
///
/// | type | value |
/// |---|---|
/// | `bool` | [Boolean] |
/// | `int8` to `int32`, `uint8`, `uint16` | [Integer] |
/// | `int64`, `uint32` | [Long] |
/// | `uint64` | [BigInteger] |
/// | `float16`, `float32` | [Float] |
/// | `float64` | [Double] |
/// | `decimal` | [BigDecimal] |
/// | `date`, `time` | [LocalDate], [LocalTime] |
/// | `timestamp` | [Instant], or [LocalDateTime] for local times |
/// | `string`; `binary`, `fixed` | [String] |
/// | `uuid` | [UUID] |
@NullUnmarked // values of rows may be null
public final class Values {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private Values() {}

  /// {@return a random value of a type}
  ///
  /// @param type the type
  /// @param random the source of the value
  public static Object random(DataType type, Random random) {
    return switch (type) {
      case DataType.Bool _ -> random.nextBoolean();
      case DataType.Int(int bits, boolean signed) ->
          ofLong(
              type, signed ? random.nextLong() >> (64 - bits) : random.nextLong() >>> (64 - bits));
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> (Object) Float.float16ToFloat((short) random.nextInt(0x7c00));
            case 32 -> (Object) (random.nextFloat() - 0.5f);
            default -> (Object) random.nextGaussian();
          };
      case DataType.Decimal(int precision, int scale) ->
          new BigDecimal(
              new BigInteger(3 * precision, random).multiply(BigInteger.valueOf(sign(random))),
              scale);
      case DataType.Utf8 _ -> text(random);
      case DataType.Binary _ -> hex(random, random.nextInt(20));
      case DataType.FixedBinary(int width) -> hex(random, width);
      case DataType.Interval _ -> hex(random, 12);
      case DataType.Uuid _ -> new UUID(random.nextLong(), random.nextLong());
      case DataType.Date _ -> ofLong(type, random.nextInt(60_000) - 20_000);
      case DataType.Time(TimeUnit unit, boolean _) ->
          ofLong(type, random.nextLong(86_400L * unit.perSecond()));
      case DataType.Timestamp(TimeUnit unit, boolean _) ->
          ofLong(
              type,
              random.nextLong(-unit.perSecond() * 1_000_000, unit.perSecond() * 2_000_000_000));
      case DataType.List(DataType element, boolean nullable) ->
          list(random.nextInt(5), () -> random(element, nullable, random));
      case DataType.Struct(List<Field> fields) -> {
        Map<String, Object> struct = new LinkedHashMap<>();
        fields.forEach(
            field -> struct.put(field.name(), random(field.type(), field.nullable(), random)));
        yield struct;
      }
      case DataType.Map(DataType key, DataType value, boolean nullable) ->
          list(
              random.nextInt(4),
              () -> new SimpleEntry<>(random(key, random), random(value, nullable, random)));
      case DataType.Variant _, DataType.Null _, DataType.Unsupported _ ->
          throw new AssertionError(type);
    };
  }

  private static Object random(DataType type, boolean nullable, Random random) {
    return nullable && random.nextInt(4) == 0 ? null : random(type, random);
  }

  /// {@return a row, or another list, that may hold nulls}
  ///
  /// @param values the values
  public static List<Object> row(Object... values) {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  /// {@return a list of values}
  ///
  /// @param length how many
  /// @param values makes each
  public static List<Object> list(int length, Supplier<Object> values) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(values.get());
    }
    return list;
  }

  private static int sign(Random random) {
    return random.nextBoolean() ? 1 : -1;
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(12); length > 0; length--) {
      text.append(random.nextInt(6) == 0 ? 'ß' : (char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private static String hex(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// {@return whether values are held as numbers or booleans, not as objects}
  ///
  /// @param type their type
  public static boolean isPrimitive(DataType type) {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          true;
      default -> false;
    };
  }

  /// {@return the value that a whole number stands for}
  ///
  /// @param type the value's type: integer, date, time or timestamp
  /// @param number the number, as [ColumnSlice][dev.penstock.spi.format.ColumnSlice] has it
  public static Object ofLong(DataType type, long number) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) -> {
        if (bits == 64 && !signed) {
          yield new BigInteger(1, ByteBuffer.allocate(8).putLong(number).array());
        }
        yield bits == 64 || (bits == 32 && !signed) ? (Object) number : Math.toIntExact(number);
      }
      case DataType.Date _ -> LocalDate.EPOCH.plusDays(number);
      case DataType.Time(TimeUnit unit, boolean _) -> LocalTime.MIDNIGHT.plus(number, chrono(unit));
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          utc ? Instant.EPOCH.plus(number, chrono(unit)) : EPOCH.plus(number, chrono(unit));
      default -> throw new AssertionError(type);
    };
  }

  /// {@return the whole number that stands for a value}
  ///
  /// @param type the value's type: integer, date, time or timestamp
  /// @param value the value
  public static long toLong(DataType type, Object value) {
    return switch (type) {
      case DataType.Int _ -> ((Number) value).longValue();
      case DataType.Date _ -> ((LocalDate) value).toEpochDay();
      case DataType.Time(TimeUnit unit, boolean _) ->
          chrono(unit).between(LocalTime.MIDNIGHT, (LocalTime) value);
      case DataType.Timestamp(TimeUnit unit, boolean utc) -> {
        LocalDateTime time =
            utc ? LocalDateTime.ofInstant((Instant) value, ZoneOffset.UTC) : (LocalDateTime) value;
        yield chrono(unit).between(EPOCH, time);
      }
      default -> throw new AssertionError(type);
    };
  }

  private static ChronoUnit chrono(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> ChronoUnit.MILLIS;
      case MICROS -> ChronoUnit.MICROS;
      case NANOS -> ChronoUnit.NANOS;
    };
  }
}
