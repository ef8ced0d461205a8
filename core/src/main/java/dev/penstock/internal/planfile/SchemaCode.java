package dev.penstock.internal.planfile;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The bytes of schemas.
final class SchemaCode {
  private static final int NAMED = 0;
  private static final int LIST = 1;
  private static final int STRUCT = 2;
  private static final int MAP = 3;
  private static final int UNSUPPORTED = 4;
  private static final int KINDS = 5;

  /// No file has deeper types.
  private static final int DEPTH_MAX = 256;

  /// Types without parts that [DataType#parse] does not know.
  private static final Map<String, DataType> OTHERS =
      Stream.of(new DataType.Null(), new DataType.Interval(), new DataType.Variant())
          .collect(Collectors.toMap(DataType::toString, Function.identity()));

  private SchemaCode() {}

  static void write(BlockWriter out, Schema schema) {
    write(out, schema.fields());
  }

  private static void write(BlockWriter out, List<Field> fields) {
    out.count(fields.size());
    for (Field field : fields) {
      out.text(field.name());
      out.flag(field.nullable());
      write(out, field.type());
    }
  }

  private static void write(BlockWriter out, DataType type) {
    switch (type) {
      case DataType.List(DataType element, boolean nullable) -> {
        out.one(LIST);
        out.flag(nullable);
        out.count(1);
        write(out, element);
      }
      case DataType.Struct(List<Field> fields) -> {
        out.one(STRUCT);
        write(out, fields);
      }
      case DataType.Map(DataType key, DataType value, boolean nullable) -> {
        out.one(MAP);
        out.flag(nullable);
        out.count(2);
        write(out, key);
        write(out, value);
      }
      case DataType.Unsupported(String description) -> {
        out.one(UNSUPPORTED);
        out.text(description);
      }
      default -> {
        out.one(NAMED);
        out.text(type.toString());
      }
    }
  }

  static Schema read(BlockReader in) {
    return Schema.of(fields(in, 0));
  }

  private static List<Field> fields(BlockReader in, int depth) {
    List<Field> fields = new ArrayList<>();
    for (int left = in.size(); left > 0; left--) {
      String name = in.text();
      boolean nullable = in.flag();
      fields.add(new Field(name, type(in, depth), nullable));
    }
    return fields;
  }

  private static DataType type(BlockReader in, int depth) {
    BlockReader.require(depth, DEPTH_MAX, "the depth of a type");
    return switch (in.one(KINDS, "a kind of type")) {
      case LIST -> {
        boolean nullable = in.flag();
        yield new DataType.List(parts(in, 1, depth).getFirst(), nullable);
      }
      case STRUCT -> new DataType.Struct(fields(in, depth + 1));
      case MAP -> {
        boolean nullable = in.flag();
        List<DataType> parts = parts(in, 2, depth);
        yield new DataType.Map(parts.getFirst(), parts.getLast(), nullable);
      }
      case UNSUPPORTED -> new DataType.Unsupported(in.text());
      default -> {
        String name = in.text();
        DataType other = OTHERS.get(name);
        yield other == null ? DataType.parse(name) : other;
      }
    };
  }

  private static List<DataType> parts(BlockReader in, int count, int depth) {
    if (in.count() != count) {
      throw BlockReader.wrong("a type has not %s parts", count);
    }
    List<DataType> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(type(in, depth + 1));
    }
    return parts;
  }
}
