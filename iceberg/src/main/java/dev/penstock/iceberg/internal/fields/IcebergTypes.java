package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.fields.TableField;
import dev.penstock.spi.format.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UUIDUtil;

/// Maps Iceberg's types and values to the loader's.
public final class IcebergTypes {
  private IcebergTypes() {}

  public static Field field(Types.NestedField field) {
    return new Field(field.name(), type(field.type()), field.isOptional());
  }

  /// Returns columns, or parts of a struct, with their field ids and initial defaults.
  public static List<TableField> fields(List<Types.NestedField> fields) {
    return fields.stream().map(IcebergTypes::tableField).toList();
  }

  private static TableField tableField(Types.NestedField field) {
    Field made = field(field);
    boolean isRead = !(made.type() instanceof DataType.Unsupported);
    Object initial = field.initialDefault();
    return new TableField(
        field.fieldId(),
        made,
        isRead && field.type().isNestedType()
            ? fields(field.type().asNestedType().fields())
            : List.of(),
        initial == null || !field.type().isPrimitiveType()
            ? Optional.empty()
            : Optional.of(ByteString.of(memory(made.type(), initial))));
  }

  /// Returns the type; [DataType.Unsupported] for those that cannot be read: geometries, and
  /// structs without fields.
  public static DataType type(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> new DataType.Bool();
      case INTEGER -> new DataType.Int(32, true);
      case LONG -> new DataType.Int(64, true);
      case FLOAT -> new DataType.Floating(32);
      case DOUBLE -> new DataType.Floating(64);
      case DATE -> new DataType.Date();
      case TIME -> new DataType.Time(TimeUnit.MICROS, false);
      case TIMESTAMP ->
          new DataType.Timestamp(TimeUnit.MICROS, ((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO ->
          new DataType.Timestamp(
              TimeUnit.NANOS, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING -> new DataType.Utf8();
      case UUID -> new DataType.Uuid();
      case FIXED -> {
        int length = ((Types.FixedType) type).length();
        yield length < 1
            ? new DataType.Unsupported(type.toString())
            : new DataType.FixedBinary(length);
      }
      case BINARY -> new DataType.Binary();
      case DECIMAL ->
          new DataType.Decimal(
              ((Types.DecimalType) type).precision(), ((Types.DecimalType) type).scale());
      case STRUCT -> {
        List<Field> fields =
            type.asStructType().fields().stream().map(IcebergTypes::field).toList();
        yield fields.isEmpty()
            ? new DataType.Unsupported(type.toString())
            : new DataType.Struct(fields);
      }
      case LIST ->
          new DataType.List(
              type(type.asListType().elementType()), type.asListType().isElementOptional());
      case MAP ->
          new DataType.Map(
              type(type.asMapType().keyType()),
              type(type.asMapType().valueType()),
              type.asMapType().isValueOptional());
      case VARIANT -> new DataType.Variant();
      case UNKNOWN -> new DataType.Null();
      default -> new DataType.Unsupported(type.toString());
    };
  }

  /// Returns an Iceberg value in the form that [dev.penstock.schema.MissingColumns#withDefault]
  /// takes.
  ///
  /// @param type the type of the value, not nested
  /// @param value the value in Iceberg's form: dates as days, timestamps as microseconds
  public static Object object(Type type, Object value) {
    return switch (type.typeId()) {
      case DATE -> LocalDate.ofEpochDay(((Number) value).longValue());
      case TIME -> LocalTime.ofNanoOfDay(Math.multiplyExact(((Number) value).longValue(), 1_000L));
      case TIMESTAMP ->
          time(
              ((Number) value).longValue(),
              1_000_000,
              ((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO ->
          time(
              ((Number) value).longValue(),
              1_000_000_000,
              ((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING -> value.toString();
      case FIXED, BINARY -> bytes(value);
      default -> value;
    };
  }

  private static Object time(long count, long perSecond, boolean utc) {
    long nanos = Math.floorMod(count, perSecond) * (1_000_000_000 / perSecond);
    Instant instant = Instant.ofEpochSecond(Math.floorDiv(count, perSecond), nanos);
    return utc ? instant : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  /// Returns a value's bytes in memory; for a boolean, eight copies.
  ///
  /// @param value the value in Iceberg's form
  public static byte[] memory(DataType type, Object value) {
    int width = type.byteWidth();
    return switch (value) {
      case Boolean bit -> new byte[] {(byte) (bit ? -1 : 0)};
      case Integer number -> littleEndian(BigInteger.valueOf(number), width);
      case Long number -> littleEndian(BigInteger.valueOf(number), width);
      case Float number -> littleEndian(BigInteger.valueOf(Float.floatToRawIntBits(number)), width);
      case Double number ->
          littleEndian(BigInteger.valueOf(Double.doubleToRawLongBits(number)), width);
      case BigDecimal number -> littleEndian(number.unscaledValue(), width);
      case UUID uuid -> UUIDUtil.convert(uuid);
      case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
      default -> bytes(value);
    };
  }

  private static byte[] littleEndian(BigInteger number, int width) {
    byte[] bytes = new byte[width];
    Arrays.fill(bytes, (byte) (number.signum() < 0 ? -1 : 0));
    byte[] big = number.toByteArray();
    for (int i = 0; i < Math.min(width, big.length); i++) {
      bytes[i] = big[big.length - 1 - i];
    }
    return bytes;
  }

  private static byte[] bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
