package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Writes the Java objects of a batch as JSON: those of list columns, and values nested in them.
/// One writer per type; not thread-safe.
interface ObjectWriter {
  /// Writes a value that is not null.
  void writePresent(Object value, OutputBuffer out);

  /// Writes a value, `null` for null.
  default void write(@Nullable Object value, OutputBuffer out) {
    if (value == null) {
      out.none();
    } else {
      writePresent(value, out);
    }
  }

  /// Returns the writer of a type that can be read.
  static ObjectWriter of(DataType type) {
    IsoTime iso = new IsoTime();
    return switch (type) {
      case DataType.Bool _ -> (value, out) -> out.bool((Boolean) value);
      case DataType.Int(int bits, boolean signed) ->
          bits == 64 && !signed
              ? (value, out) -> out.unsigned(((Number) value).longValue())
              : (value, out) -> out.integer(((Number) value).longValue());
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> (value, out) -> out.number((double) (Float) value);
            case 32 -> (value, out) -> out.number((Float) value);
            default -> (value, out) -> out.number((Double) value);
          };
      case DataType.Decimal(int _, int scale) ->
          (value, out) -> out.string(((BigDecimal) value).setScale(scale).toPlainString());
      case DataType.Utf8 _ -> (value, out) -> out.string((String) value);
      case DataType.Binary _, DataType.FixedBinary _, DataType.Interval _ ->
          (value, out) -> out.base64((byte[]) value);
      case DataType.Uuid _ -> (value, out) -> out.string(((UUID) value).toString());
      case DataType.Date _ -> (value, out) -> iso.date(((LocalDate) value).toEpochDay(), out);
      case DataType.Time(TimeUnit unit, boolean _) ->
          (value, out) ->
              IsoTime.time(((LocalTime) value).toNanoOfDay() / nanosOf(unit), unit, out);
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          (value, out) -> iso.timestamp(count(value, unit), unit, utc, out);
      case DataType.Variant _ -> new AnyWriter();
      case DataType.List(DataType element, boolean _) -> list(of(element));
      case DataType.Struct(List<Field> fields) -> struct(fields);
      case DataType.Map map -> list(entry(of(map.key()), of(map.value())));
      case DataType.Null _, DataType.Unsupported _ ->
          throw new IllegalArgumentException(
              "Cannot show values of type "
                  + type
                  + ": they cannot be read. Choose other columns with --columns.");
    };
  }

  private static long nanosOf(TimeUnit unit) {
    return 1_000_000_000L / unit.perSecond();
  }

  /// Returns the count that a point in time was made from. The product may overflow; then the sum
  /// wraps back.
  private static long count(Object value, TimeUnit unit) {
    Instant instant =
        value instanceof Instant utc ? utc : ((LocalDateTime) value).toInstant(ZoneOffset.UTC);
    return instant.getEpochSecond() * unit.perSecond() + instant.getNano() / nanosOf(unit);
  }

  static ObjectWriter list(ObjectWriter element) {
    return (value, out) -> {
      char before = '[';
      for (Object each : (List<?>) value) {
        out.write(before);
        element.write(each, out);
        before = ',';
      }
      out.ascii(before == '[' ? "[]" : "]");
    };
  }

  private static ObjectWriter struct(List<Field> fields) {
    byte[][] keys = OutputBuffer.keys(fields.stream().map(Field::name).toList());
    ObjectWriter[] writers =
        fields.stream().map(field -> of(field.type())).toArray(ObjectWriter[]::new);
    return (value, out) -> {
      int i = 0;
      for (Object part : ((Map<?, ?>) value).values()) {
        out.write(keys[i]);
        writers[i++].write(part, out);
      }
      out.write('}');
    };
  }

  private static ObjectWriter entry(ObjectWriter key, ObjectWriter item) {
    byte[][] keys = OutputBuffer.keys(List.of("key", "value"));
    return (value, out) -> {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
      out.write(keys[0]);
      key.write(entry.getKey(), out);
      out.write(keys[1]);
      item.write(entry.getValue(), out);
      out.write('}');
    };
  }
}
