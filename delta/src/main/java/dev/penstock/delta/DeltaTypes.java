package dev.penstock.delta;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.ByteType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import io.delta.kernel.types.TimestampType;
import io.delta.kernel.types.VariantType;
import java.util.List;

/// Maps Delta's types to the loader's.
final class DeltaTypes {
  /// How deep types may be nested.
  private static final int DEPTH_MAX = 64;

  private DeltaTypes() {}

  /// Checks that a table's columns can be read without running out of stack.
  ///
  /// @throws IllegalArgumentException if one is nested too deeply
  static void requireFlat(StructType columns) {
    for (StructField column : columns.fields()) {
      if (isDeeper(column.getDataType(), DEPTH_MAX)) {
        throw new IllegalArgumentException(
            "its column '" + column.getName() + "' is nested more than " + DEPTH_MAX + " deep.");
      }
    }
  }

  private static boolean isDeeper(io.delta.kernel.types.DataType type, int left) {
    return left == 0
        || switch (type) {
          case StructType struct ->
              struct.fields().stream().anyMatch(part -> isDeeper(part.getDataType(), left - 1));
          case ArrayType array -> isDeeper(array.getElementType(), left - 1);
          case MapType map ->
              isDeeper(map.getKeyType(), left - 1) || isDeeper(map.getValueType(), left - 1);
          default -> false;
        };
  }

  static Field field(StructField field) {
    return new Field(field.getName(), type(field.getDataType()), field.isNullable());
  }

  /// Returns the type; [DataType.Unsupported] for those that cannot be read: geometries, and
  /// structs without fields.
  static DataType type(io.delta.kernel.types.DataType type) {
    return switch (type) {
      case BooleanType _ -> DataType.bool();
      case ByteType _ -> DataType.int8();
      case ShortType _ -> DataType.int16();
      case IntegerType _ -> DataType.int32();
      case LongType _ -> DataType.int64();
      case FloatType _ -> DataType.float32();
      case DoubleType _ -> DataType.float64();
      case DecimalType decimal -> new DataType.Decimal(decimal.getPrecision(), decimal.getScale());
      case VariantType _ -> new DataType.Variant();
      case StringType _ -> DataType.string();
      case BinaryType _ -> new DataType.Binary();
      case DateType _ -> DataType.date();
      case TimestampType _ -> new DataType.Timestamp(TimeUnit.MICROS, true);
      case TimestampNTZType _ -> new DataType.Timestamp(TimeUnit.MICROS, false);
      case StructType struct -> {
        List<Field> fields = struct.fields().stream().map(DeltaTypes::field).toList();
        yield fields.isEmpty()
            ? new DataType.Unsupported(type.toString())
            : new DataType.Struct(fields);
      }
      case ArrayType array -> new DataType.List(type(array.getElementType()), array.containsNull());
      case MapType map ->
          new DataType.Map(
              type(map.getKeyType()), type(map.getValueType()), map.isValueContainsNull());
      default -> new DataType.Unsupported(type.toString());
    };
  }
}
