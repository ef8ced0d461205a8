package dev.penstock.tck;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;

/// A table that is known row by row before any file of it is written.
///
/// @param schema its columns
/// @param files its files in the order of their paths
@NullUnmarked // values of rows may be null
public record Table(Schema schema, List<DataFile> files) {
  /// One file.
  ///
  /// @param name its path below the dataset's folder, without extension
  /// @param groups its row groups: rows of values in the form of [Values], null for a null
  public record DataFile(String name, List<List<List<Object>>> groups) {
    /// {@return the rows of all row groups}
    public List<List<Object>> rows() {
      return groups.stream().flatMap(List::stream).toList();
    }
  }

  /// Every type that a flat column can have.
  public static final List<DataType> TYPES =
      List.of(
          new DataType.Bool(),
          new DataType.Int(8, true),
          new DataType.Int(16, true),
          new DataType.Int(32, true),
          new DataType.Int(64, true),
          new DataType.Int(8, false),
          new DataType.Int(16, false),
          new DataType.Int(32, false),
          new DataType.Int(64, false),
          new DataType.Floating(16),
          new DataType.Floating(32),
          new DataType.Floating(64),
          new DataType.Decimal(9, 2),
          new DataType.Decimal(18, 5),
          new DataType.Decimal(38, 10),
          new DataType.Date(),
          new DataType.Time(TimeUnit.MILLIS, true),
          new DataType.Time(TimeUnit.MICROS, false),
          new DataType.Time(TimeUnit.NANOS, true),
          new DataType.Timestamp(TimeUnit.MILLIS, true),
          new DataType.Timestamp(TimeUnit.MICROS, false),
          new DataType.Timestamp(TimeUnit.NANOS, true),
          new DataType.Utf8(),
          new DataType.Binary(),
          new DataType.FixedBinary(5),
          new DataType.Uuid());

  /// {@return a table of some columns that a format can hold, in some files, some of them without
  /// rows}
  ///
  /// @param random the source of everything
  /// @param nesting how deep columns may be nested, if the format has nested columns; 0 for flat
  ///   ones
  /// @param writer says what the format can hold
  public static Table random(Random random, int nesting, FormatWriter writer) {
    List<Field> fields = new ArrayList<>();
    for (int c = 0; c <= random.nextInt(5); c++) {
      fields.add(field("c" + c, random, Math.min(nesting, writer.nesting()), writer));
    }
    return random(random, Schema.of(fields));
  }

  private static Field field(String name, Random random, int nesting, FormatWriter writer) {
    DataType type = type(random, nesting, writer);
    return new Field(name, type, isNullable(random, writer));
  }

  private static boolean isNullable(Random random, FormatWriter writer) {
    return random.nextBoolean() && writer.hasNulls();
  }

  private static DataType type(Random random, int nesting, FormatWriter writer) {
    List<DataType> types = writer.types();
    return switch (nesting == 0 ? 9 : random.nextInt(10)) {
      case 0, 1, 2 ->
          new DataType.List(type(random, nesting - 1, writer), isNullable(random, writer));
      case 3 -> {
        List<Field> fields = new ArrayList<>();
        for (int f = 0; f <= random.nextInt(3); f++) {
          fields.add(field("f" + f, random, nesting - 1, writer));
        }
        yield new DataType.Struct(fields);
      }
      case 4 ->
          writer.hasMaps()
              ? new DataType.Map(
                  type(random, 0, writer),
                  type(random, nesting - 1, writer),
                  isNullable(random, writer))
              : types.get(random.nextInt(types.size()));
      default -> types.get(random.nextInt(types.size()));
    };
  }

  /// {@return a table of given columns in some files, some of them without rows}
  ///
  /// @param random the source of everything else
  /// @param schema the columns
  public static Table random(Random random, Schema schema) {
    List<DataFile> files = new ArrayList<>();
    for (int f = 0; f <= random.nextInt(5); f++) {
      int[] groups = new int[random.nextInt(4)];
      for (int g = 0; g < groups.length; g++) {
        groups[g] = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(120);
      }
      files.add(file(random, schema, (f < 2 ? "a/" : "b/deep/") + "part-" + f, groups));
    }
    return new Table(schema, files);
  }

  /// {@return one file of random rows} Every third column of lists is uniform: each has 3 elements.
  ///
  /// @param random the source of the values
  /// @param schema the columns
  /// @param name the file's path below the dataset's folder, without extension
  /// @param groups the rows of each row group
  public static DataFile file(Random random, Schema schema, String name, int... groups) {
    double[] nulls = new double[schema.size()];
    for (int c = 0; c < nulls.length; c++) {
      double[] choices = {0, 0.03, 0.5, 1};
      boolean nullable = schema.fields().get(c).nullable() && !isUniform(schema, c);
      nulls[c] = nullable ? choices[random.nextInt(choices.length)] : 0;
    }
    List<List<List<Object>>> made = new ArrayList<>();
    for (int rows : groups) {
      List<List<Object>> group = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        List<Object> values = new ArrayList<>();
        for (int c = 0; c < nulls.length; c++) {
          boolean isNull = random.nextDouble() < nulls[c];
          values.add(isNull ? null : value(schema, c, random));
        }
        group.add(values);
      }
      made.add(group);
    }
    return new DataFile(name, made);
  }

  private static boolean isUniform(Schema schema, int column) {
    return column % 3 == 0 && schema.fields().get(column).type() instanceof DataType.List;
  }

  private static Object value(Schema schema, int column, Random random) {
    DataType type = schema.fields().get(column).type();
    Object value = Values.random(type, random);
    while (isUniform(schema, column) && ((List<?>) value).size() != 3) {
      value = Values.random(type, random);
    }
    return value;
  }

  /// {@return all rows, file by file}
  public List<List<Object>> rows() {
    return files.stream().flatMap(file -> file.rows().stream()).toList();
  }

  @Override
  public String toString() {
    return schema
        + " "
        + files.stream()
            .map(file -> file.name() + file.groups().stream().map(List::size).toList())
            .toList();
  }
}
