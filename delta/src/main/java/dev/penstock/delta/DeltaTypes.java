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
  private DeltaTypes() {}

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
