package dev.penstock.testing;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.testing.TestTables.Kind;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/// Tables of random structs, lists and maps in every shape that Parquet has for them.
///
/// The values are in the form of [TestRows].
public final class TestNested {
  /// A table with what is needed to write it.
  ///
  /// @param table the table
  /// @param shapes by column, its shape
  public record Nested(Table table, List<? extends TestTables.Writer> shapes) {
    /// Writes the table as a Parquet file.
    public void write(Layout layout, Path path) throws IOException {
      TestTables.write(table, shapes, layout, path, builder -> {});
    }
  }

  /// A type, its place in Parquet's schema, and its values.
  private sealed interface Shape extends TestTables.Writer {
    DataType type();

    /// Returns the declaration, from the repetition on.
    String declare(String repetition, String name);

    Object random(Random random, Density density);
  }

  /// How often there are nulls, and how long lists are.
  private record Density(double nulls, double empty, int longest) {
    static Density random(Random random) {
      double[] rates = {0, 0, 0.02, 0.3, 0.95};
      return new Density(
          rates[random.nextInt(rates.length)],
          rates[random.nextInt(rates.length)],
          1 + random.nextInt(1 + random.nextInt(1 + random.nextInt(40))));
    }

    @Nullable Object random(Random random, Part part) {
      return part.nullable && random.nextDouble() < nulls ? null : part.shape.random(random, this);
    }

    int length(Random random) {
      return random.nextDouble() < empty ? 0 : random.nextInt(longest + 1);
    }

    Density inner() {
      return new Density(nulls, empty, Math.max(1, longest / 3));
    }
  }

  private record Part(Shape shape, boolean nullable) {
    String declare(String name) {
      return shape.declare(nullable ? "optional" : "required", name);
    }

    /// Writes a value unless it is null.
    void write(Group group, int field, @Nullable Object value) {
      if (value != null) {
        shape.write(group, field, value);
      }
    }
  }

  private record Value(Kind kind, List<Object> pool) implements Shape {
    @Override
    public DataType type() {
      return kind.type();
    }

    @Override
    public String declare(String repetition, String name) {
      return repetition + " " + String.format(kind.declaration(), name) + ";";
    }

    @Override
    public Object random(Random random, Density density) {
      return pool.get(random.nextInt(pool.size()));
    }

    @Override
    public void write(Group group, int field, Object value) {
      kind.write().write(group, field, value);
    }
  }

  private record Struct(List<Part> parts) implements Shape {
    @Override
    public DataType type() {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        fields.add(new Field(name(i), parts.get(i).shape.type(), parts.get(i).nullable));
      }
      return new DataType.Struct(fields);
    }

    static String name(int field) {
      return "abc".substring(field, field + 1);
    }

    @Override
    public String declare(String repetition, String name) {
      StringBuilder text = new StringBuilder(repetition + " group " + name + " {");
      for (int i = 0; i < parts.size(); i++) {
        text.append(parts.get(i).declare(name(i)));
      }
      return text + "}";
    }

    @Override
    public Object random(Random random, Density density) {
      Map<String, @Nullable Object> struct = new LinkedHashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        struct.put(name(i), density.random(random, parts.get(i)));
      }
      return struct;
    }

    @Override
    public void write(Group group, int field, Object value) {
      Group added = group.addGroup(field);
      int i = 0;
      for (Object part : ((Map<?, ?>) value).values()) {
        parts.get(i).write(added, i, part);
        i++;
      }
    }
  }

  /// The ways in which a list is stored.
  private enum Form {
    THREE_LEVELS,
    TWO_LEVELS,
    REPEATED,
    MAP_WITHOUT_VALUES
  }

  private record Elements(Form form, Part element, String middle) implements Shape {
    @Override
    public DataType type() {
      return new DataType.List(element.shape.type(), element.nullable);
    }

    @Override
    public String declare(String repetition, String name) {
      return switch (form) {
        case THREE_LEVELS ->
            "%s group %s (LIST) { repeated group %s { %s } }"
                .formatted(repetition, name, middle, element.declare("element"));
        case TWO_LEVELS ->
            "%s group %s (LIST) { %s }"
                .formatted(repetition, name, element.shape.declare("repeated", middle));
        case REPEATED -> element.shape.declare("repeated", name);
        case MAP_WITHOUT_VALUES ->
            "%s group %s (MAP) { repeated group key_value { %s } }"
                .formatted(repetition, name, element.declare("key"));
      };
    }

    @Override
    public Object random(Random random, Density density) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int i = density.length(random); i > 0; i--) {
        list.add(density.inner().random(random, element));
      }
      return list;
    }

    @Override
    public void write(Group group, int field, Object value) {
      Group added = form == Form.REPEATED ? group : group.addGroup(field);
      for (Object each : (Collection<?>) value) {
        switch (form) {
          case THREE_LEVELS, MAP_WITHOUT_VALUES -> element.write(added.addGroup(0), 0, each);
          case TWO_LEVELS -> element.write(added, 0, each);
          case REPEATED -> element.write(added, field, each);
        }
      }
    }
  }

  private record Entries(Part key, Part value, String annotation) implements Shape {
    @Override
    public DataType type() {
      return new DataType.Map(key.shape.type(), value.shape.type(), value.nullable);
    }

    @Override
    public String declare(String repetition, String name) {
      return "%s group %s (%s) { repeated group map { %s %s } }"
          .formatted(repetition, name, annotation, key.declare("key"), value.declare("value"));
    }

    @Override
    public Object random(Random random, Density density) {
      List<Object> entries = new ArrayList<>();
      for (int i = density.length(random); i > 0; i--) {
        List<@Nullable Object> entry = new ArrayList<>();
        entry.add(density.inner().random(random, key));
        entry.add(density.inner().random(random, value));
        entries.add(entry);
      }
      return entries;
    }

    @Override
    public void write(Group group, int field, Object entries) {
      Group added = group.addGroup(field);
      for (Object entry : (List<?>) entries) {
        Group pair = added.addGroup(0);
        key.write(pair, 0, ((List<?>) entry).getFirst());
        value.write(pair, 1, ((List<?>) entry).getLast());
      }
    }
  }

  private TestNested() {}

  /// Makes a table.
  ///
  /// @param depth how deep structs, lists and maps may be in one another
  public static Nested random(Random random, int columns, int rows, int depth) {
    List<Field> fields = new ArrayList<>();
    List<List<@Nullable Object>> values = new ArrayList<>();
    List<Shape> shapes = new ArrayList<>();
    StringBuilder message = new StringBuilder("message table {");
    for (int c = 0; c < columns; c++) {
      Part part = part(random, depth, true);
      shapes.add(part.shape);
      fields.add(new Field("c" + c, part.shape.type(), part.nullable));
      message.append(part.declare("c" + c));
      Density density = Density.random(random);
      List<@Nullable Object> column = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        column.add(density.random(random, part));
      }
      values.add(column);
    }
    Table table =
        new Table(
            Schema.of(fields), MessageTypeParser.parseMessageType(message + "}"), values, rows);
    return new Nested(table, shapes);
  }

  /// Makes a part.
  ///
  /// @param repeatable whether it stands where it may be repeated without being in a list
  private static Part part(Random random, int depth, boolean repeatable) {
    Shape shape = shape(random, depth, repeatable);
    boolean repeated =
        shape instanceof Elements(Form form, Part _, String _) && form == Form.REPEATED;
    return new Part(shape, !repeated && random.nextInt(3) > 0);
  }

  private static Shape shape(Random random, int depth, boolean repeatable) {
    if (depth == 0) {
      return value(random);
    }
    return switch (random.nextInt(6)) {
      case 0 -> value(random);
      case 1 -> struct(random, depth);
      case 2 ->
          new Entries(
              new Part(value(random), false),
              part(random, depth - 1, true),
              random.nextBoolean() ? "MAP" : "MAP_KEY_VALUE");
      default -> elements(random, depth, repeatable);
    };
  }

  private static Shape struct(Random random, int depth) {
    List<Part> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      parts.add(part(random, depth - 1, true));
    }
    return new Struct(parts);
  }

  private static Shape elements(Random random, int depth, boolean repeatable) {
    Form form = Form.values()[random.nextInt(4)];
    return switch (form) {
      case THREE_LEVELS ->
          new Elements(form, part(random, depth - 1, false), random.nextBoolean() ? "list" : "bag");
      case TWO_LEVELS ->
          new Elements(form, new Part(shape(random, depth - 1, false), false), "array");
      case REPEATED ->
          repeatable
              ? new Elements(form, new Part(shape(random, depth - 1, false), false), "")
              : new Elements(Form.THREE_LEVELS, part(random, depth - 1, false), "list");
      case MAP_WITHOUT_VALUES -> new Elements(form, part(random, depth - 1, false), "");
    };
  }

  private static Shape value(Random random) {
    Kind kind = TestTables.KINDS.get(random.nextInt(TestTables.KINDS.size()));
    List<Object> pool = new ArrayList<>();
    for (int i = 1 << random.nextInt(12); i > 0; i--) {
      pool.add(kind.make().apply(random));
    }
    return new Value(kind, pool);
  }
}
