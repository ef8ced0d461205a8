package dev.penstock.score.parquet;

import dev.penstock.schema.DataType;
import java.math.BigInteger;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.apache.parquet.schema.Types.PrimitiveBuilder;

/// Columns in Parquet's types.
final class PartSchema {
  private PartSchema() {}

  static MessageType of(List<OutputColumn> columns) {
    return new MessageType("schema", columns.stream().map(PartSchema::field).toList());
  }

  private static Type field(OutputColumn column) {
    Repetition repetition = column.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED;
    return column.isList()
        ? Types.list(repetition)
            .element(leaf(column.valueType(), Repetition.REQUIRED).named("element"))
            .named(column.name())
        : leaf(column.type(), repetition).named(column.name());
  }

  private static PrimitiveBuilder<PrimitiveType> leaf(DataType type, Repetition repetition) {
    return switch (type) {
      case DataType.Bool _ -> Types.primitive(PrimitiveTypeName.BOOLEAN, repetition);
      case DataType.Int(int bits, boolean signed) -> {
        var leaf = integer(bits, repetition);
        yield signed && bits >= 32 ? leaf : leaf.as(LogicalTypeAnnotation.intType(bits, signed));
      }
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> fixed(2, repetition).as(LogicalTypeAnnotation.float16Type());
            case 32 -> Types.primitive(PrimitiveTypeName.FLOAT, repetition);
            default -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition);
          };
      case DataType.Decimal(int precision, int scale) ->
          decimal(precision, repetition).as(LogicalTypeAnnotation.decimalType(scale, precision));
      case DataType.Utf8 _ ->
          Types.primitive(PrimitiveTypeName.BINARY, repetition)
              .as(LogicalTypeAnnotation.stringType());
      case DataType.Binary _ -> Types.primitive(PrimitiveTypeName.BINARY, repetition);
      case DataType.FixedBinary(int width) -> fixed(width, repetition);
      case DataType.Uuid _ -> fixed(16, repetition).as(LogicalTypeAnnotation.uuidType());
      case DataType.Date _ -> integer(32, repetition).as(LogicalTypeAnnotation.dateType());
      case DataType.Time(DataType.TimeUnit unit, boolean utc) ->
          integer(type.byteWidth() * 8, repetition)
              .as(LogicalTypeAnnotation.timeType(utc, unit(unit)));
      case DataType.Timestamp(DataType.TimeUnit unit, boolean utc) ->
          integer(64, repetition).as(LogicalTypeAnnotation.timestampType(utc, unit(unit)));
      default -> throw new IllegalStateException("No leaf of " + type + ".");
    };
  }

  private static PrimitiveBuilder<PrimitiveType> integer(int bits, Repetition repetition) {
    return Types.primitive(
        bits == 64 ? PrimitiveTypeName.INT64 : PrimitiveTypeName.INT32, repetition);
  }

  private static PrimitiveBuilder<PrimitiveType> fixed(int width, Repetition repetition) {
    return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition).length(width);
  }

  private static PrimitiveBuilder<PrimitiveType> decimal(int precision, Repetition repetition) {
    return precision <= 18
        ? integer(precision <= 9 ? 32 : 64, repetition)
        : fixed(decimalWidth(precision), repetition);
  }

  /// Returns the fewest bytes that hold every number of as many digits, and its sign.
  static int decimalWidth(int precision) {
    return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / 8 + 1;
  }

  private static TimeUnit unit(DataType.TimeUnit unit) {
    return TimeUnit.valueOf(unit.name());
  }
}
