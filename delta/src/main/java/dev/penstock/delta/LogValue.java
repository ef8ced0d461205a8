package dev.penstock.delta;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// A value that a log gives as text: of a partition column, or a bound of a file's values.
///
/// The text is as Delta's protocol defines it ("Partition Value Serialization", "Per-file
/// Statistics"). A timestamp without a zone is in UTC.
///
/// @param value the value as [dev.penstock.schema.MissingColumns#withDefault] takes it
/// @param bound the same as [dev.penstock.spi.format.Bound] takes it; null for NaN
record LogValue(Object value, @Nullable Comparable<?> bound) {
  /// Reads a value.
  ///
  /// @throws IllegalArgumentException if the text is not a value of the type
  /// @throws java.time.DateTimeException if it is not a date or time
  static LogValue of(DataType type, String text) {
    return switch (type) {
      case DataType.Bool _ -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw new IllegalArgumentException("expected true or false");
        }
        yield new LogValue(Boolean.valueOf(text), Boolean.valueOf(text));
      }
      case DataType.Int _ -> new LogValue(Long.valueOf(text), Long.valueOf(text));
      case DataType.Floating(int bits) when bits == 32 -> {
        Float number = Float.valueOf(text);
        yield new LogValue(number, number.isNaN() ? null : number);
      }
      case DataType.Floating _ -> {
        Double number = Double.valueOf(text);
        yield new LogValue(number, number.isNaN() ? null : number);
      }
      case DataType.Decimal(int _, int scale) -> {
        BigDecimal number = new BigDecimal(text).setScale(scale);
        yield new LogValue(number, number);
      }
      case DataType.Utf8 _ -> new LogValue(text, ByteString.utf8(text));
      case DataType.Binary _ -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        yield new LogValue(bytes, ByteString.utf8(text));
      }
      case DataType.Date _ -> {
        LocalDate date = LocalDate.parse(text);
        yield new LogValue(date, date.toEpochDay());
      }
      case DataType.Timestamp(DataType.TimeUnit _, boolean utc) -> timestamp(text, utc);
      default -> throw new IllegalArgumentException("a value of type " + type + " is not read");
    };
  }

  private static LogValue timestamp(String text, boolean utc) {
    String iso = text.trim().replace(' ', 'T');
    boolean hasZone = iso.indexOf('Z') > 0 || iso.lastIndexOf('-') > 7 || iso.indexOf('+') > 0;
    Instant instant =
        hasZone
            ? OffsetDateTime.parse(iso).toInstant()
            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    Object value = utc ? instant : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    return new LogValue(value, micros);
  }
}
