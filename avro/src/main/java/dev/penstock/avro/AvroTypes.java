package dev.penstock.avro;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/// Maps Avro's types to the loader's types.
///
/// A union of null and one type is that type, nullable. A union of several types is the type that
/// holds the values of all, if there is one, else a struct with a field for each, as in Spark.
/// Records that contain themselves are [DataType.Unsupported], and so is anything that contains
/// them.
final class AvroTypes {
  /// How deep types may be nested.
  static final int DEPTH_MAX = 64;

  /// How many types a column may have, with those of records that are used again by name written
  /// out each time: forty records that each have the one before twice are 2^40.
  static final int TYPES_MAX = 100_000;

  private static final int TYPES_OF_ALL_COLUMNS_MAX = 10 * TYPES_MAX;

  private static final int PRECISION_MAX = 76;

  private int left = TYPES_MAX;

  private AvroTypes() {}

  /// Returns the columns that the fields of a record are.
  static List<Field> columns(Schema record) {
    AvroTypes types = new AvroTypes();
    int ofAll = TYPES_OF_ALL_COLUMNS_MAX;
    List<Field> columns = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      int room = Math.min(TYPES_MAX, ofAll);
      types.left = room;
      columns.add(types.field(field.name(), field.schema(), 0));
      ofAll -= room - Math.max(0, types.left);
    }
    return columns;
  }

  private Field field(String name, Schema schema, int depth) {
    return new Field(name, type(value(schema), depth), isNullable(schema));
  }

  private static boolean isNullable(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().anyMatch(AvroTypes::isNull)
        : isNull(schema);
  }

  /// Returns whether a type is null.
  static boolean isNull(Schema schema) {
    return schema.getType() == Schema.Type.NULL;
  }

  /// Returns the type of the values: for a union of null and another type the other; for null
  /// alone, null; for several types the union itself.
  static Schema value(Schema schema) {
    if (schema.isUnion()) {
      List<Schema> members = members(schema);
      if (members.size() == 1) {
        return members.getFirst();
      }
      if (members.isEmpty() && !schema.getTypes().isEmpty()) {
        return schema.getTypes().getFirst();
      }
    }
    return schema;
  }

  /// Returns the types of a union without null.
  static List<Schema> members(Schema union) {
    return union.getTypes().stream().filter(type -> !isNull(type)).toList();
  }

  /// Returns the type of values that are not null.
  static DataType type(Schema schema) {
    return new AvroTypes().type(schema, 0);
  }

  private DataType type(Schema schema, int depth) {
    if (depth > DEPTH_MAX) {
      return new DataType.Unsupported("avro type nested more than " + DEPTH_MAX + " deep");
    }
    left--;
    if (left < 0) {
      return new DataType.Unsupported("avro schema of more than " + TYPES_MAX + " types");
    }
    return switch (schema.getType()) {
      case BOOLEAN -> new DataType.Bool();
      case INT, LONG -> number(schema);
      case FLOAT -> new DataType.Floating(32);
      case DOUBLE -> new DataType.Floating(64);
      case STRING -> is(schema, "uuid") ? new DataType.Uuid() : new DataType.Utf8();
      case ENUM -> new DataType.Utf8();
      case BYTES ->
          schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
              ? decimal(decimal)
              : new DataType.Binary();
      case FIXED -> fixed(schema);
      case RECORD -> record(schema, depth);
      case ARRAY -> {
        Field element = field("element", schema.getElementType(), depth + 1);
        yield element.type() instanceof DataType.Unsupported
            ? unsupported(schema)
            : new DataType.List(element.type(), element.nullable());
      }
      case MAP -> {
        Field value = field("value", schema.getValueType(), depth + 1);
        yield value.type() instanceof DataType.Unsupported
            ? unsupported(schema)
            : new DataType.Map(new DataType.Utf8(), value.type(), value.nullable());
      }
      case NULL -> new DataType.Null();
      case UNION -> union(members(schema), depth);
    };
  }

  private DataType union(List<Schema> members, int depth) {
    List<Field> fields = new ArrayList<>();
    for (Schema member : members) {
      DataType type = type(member, depth + 1);
      if (type instanceof DataType.Unsupported) {
        return new DataType.Unsupported("avro union of " + type);
      }
      fields.add(new Field("member" + fields.size(), type, true));
    }
    return fields.isEmpty()
        ? new DataType.Unsupported("avro union[]")
        : widest(fields).orElseGet(() -> new DataType.Struct(fields));
  }

  /// Returns the type that holds the values of all members: whole numbers, floating-point numbers,
  /// or texts.
  private static Optional<DataType> widest(List<Field> members) {
    DataType widest = members.getFirst().type();
    for (Field member : members) {
      DataType type = member.type();
      if (widest instanceof DataType.Int(int bits, boolean _)
          && type instanceof DataType.Int(int more, boolean _)) {
        widest = more > bits ? type : widest;
      } else if (widest instanceof DataType.Floating(int bits)
          && type instanceof DataType.Floating(int more)) {
        widest = more > bits ? type : widest;
      } else if (!(widest instanceof DataType.Utf8 && type instanceof DataType.Utf8)) {
        return Optional.empty();
      }
    }
    return Optional.of(widest);
  }

  private static DataType unsupported(Schema schema) {
    return new DataType.Unsupported("avro " + schema.getType().getName());
  }

  private DataType record(Schema schema, int depth) {
    List<Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      Field made = field(field.name(), field.schema(), depth + 1);
      if (made.type() instanceof DataType.Unsupported) {
        return unsupported(schema);
      }
      fields.add(made);
    }
    return fields.isEmpty() ? unsupported(schema) : new DataType.Struct(fields);
  }

  private static boolean is(Schema schema, String logical) {
    LogicalType type = schema.getLogicalType();
    return type != null && type.getName().equals(logical);
  }

  private static DataType number(Schema schema) {
    int bits = schema.getType() == Schema.Type.INT ? 32 : 64;
    LogicalType logical = schema.getLogicalType();
    return switch (logical == null ? "" : logical.getName()) {
      case "date" -> new DataType.Date();
      case "time-millis" -> new DataType.Time(TimeUnit.MILLIS, false);
      case "time-micros" -> new DataType.Time(TimeUnit.MICROS, false);
      case "timestamp-millis" -> new DataType.Timestamp(TimeUnit.MILLIS, true);
      case "timestamp-micros" -> new DataType.Timestamp(TimeUnit.MICROS, true);
      case "timestamp-nanos" -> new DataType.Timestamp(TimeUnit.NANOS, true);
      case "local-timestamp-millis" -> new DataType.Timestamp(TimeUnit.MILLIS, false);
      case "local-timestamp-micros" -> new DataType.Timestamp(TimeUnit.MICROS, false);
      case "local-timestamp-nanos" -> new DataType.Timestamp(TimeUnit.NANOS, false);
      default -> new DataType.Int(bits, true);
    };
  }

  private static DataType decimal(LogicalTypes.Decimal decimal) {
    return decimal.getPrecision() <= PRECISION_MAX
        ? new DataType.Decimal(decimal.getPrecision(), decimal.getScale())
        : new DataType.Unsupported(
            "decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")");
  }

  private static DataType fixed(Schema schema) {
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return decimal(decimal);
    }
    int size = schema.getFixedSize();
    if (size == 16 && is(schema, "uuid")) {
      return new DataType.Uuid();
    }
    if (size == 12 && is(schema, "duration")) {
      return new DataType.Interval();
    }
    return size < 1 ? unsupported(schema) : new DataType.FixedBinary(size);
  }
}
