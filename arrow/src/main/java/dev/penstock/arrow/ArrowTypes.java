package dev.penstock.arrow;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/// The Arrow type of each column type: the same as in Arrow's own Parquet reader, if Arrow's Java
/// vectors support it.
final class ArrowTypes {
  /// Arrow's canonical extension type for UUIDs, stored as 16 fixed bytes.
  private static final Map<String, String> UUID =
      Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "");

  private ArrowTypes() {}

  static org.apache.arrow.vector.types.pojo.Schema schema(Schema schema) {
    return new org.apache.arrow.vector.types.pojo.Schema(
        schema.fields().stream().map(ArrowTypes::field).toList());
  }

  static org.apache.arrow.vector.types.pojo.Field field(Field field) {
    Map<String, String> metadata = field.type() instanceof DataType.Uuid ? UUID : Map.of();
    FieldType type = new FieldType(field.nullable(), type(field.type()), null, metadata);
    return new org.apache.arrow.vector.types.pojo.Field(field.name(), type, children(field.type()));
  }

  private static List<org.apache.arrow.vector.types.pojo.Field> children(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean nullable) ->
          List.of(field(new Field("element", element, nullable)));
      case DataType.Struct(List<Field> fields) -> fields.stream().map(ArrowTypes::field).toList();
      case DataType.Map map -> List.of(field(new Field("entries", map.entry(), false)));
      default -> List.of();
    };
  }

  private static ArrowType type(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> ArrowType.Bool.INSTANCE;
      case DataType.Int(int bits, boolean signed) -> new ArrowType.Int(bits, signed);
      case DataType.Floating(int bits) -> new ArrowType.FloatingPoint(precision(bits));
      case DataType.Decimal(int precision, int scale) ->
          new ArrowType.Decimal(precision, scale, precision <= 38 ? 128 : 256);
      case DataType.Utf8 _ -> ArrowType.Utf8.INSTANCE;
      case DataType.Binary _ -> ArrowType.Binary.INSTANCE;
      case DataType.FixedBinary _, DataType.Uuid _, DataType.Interval _ ->
          new ArrowType.FixedSizeBinary(type.byteWidth());
      case DataType.Date _ -> new ArrowType.Date(DateUnit.DAY);
      case DataType.Time(DataType.TimeUnit unit, boolean _) ->
          new ArrowType.Time(unit(unit), type.byteWidth() * 8);
      case DataType.Timestamp(DataType.TimeUnit unit, boolean utc) ->
          new ArrowType.Timestamp(unit(unit), utc ? "UTC" : null);
      case DataType.List _ -> ArrowType.List.INSTANCE;
      case DataType.Struct _ -> ArrowType.Struct.INSTANCE;
      case DataType.Map _ -> new ArrowType.Map(false);
      case DataType.Variant _ ->
          throw new IllegalArgumentException(
              "Cannot make Arrow vectors of variants: cast them to string, or a field of them to its"
                  + " type, or choose other columns.");
      case DataType.Null _, DataType.Unsupported _ ->
          throw new IllegalStateException("Cannot read " + type);
    };
  }

  private static FloatingPointPrecision precision(int bits) {
    return switch (bits) {
      case 16 -> FloatingPointPrecision.HALF;
      case 32 -> FloatingPointPrecision.SINGLE;
      default -> FloatingPointPrecision.DOUBLE;
    };
  }

  private static TimeUnit unit(DataType.TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> TimeUnit.MILLISECOND;
      case MICROS -> TimeUnit.MICROSECOND;
      case NANOS -> TimeUnit.NANOSECOND;
    };
  }
}
