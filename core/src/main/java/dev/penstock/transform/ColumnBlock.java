package dev.penstock.transform;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.slices.ColumnCopy;
import dev.penstock.internal.slices.HeapScratch;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Some rows, column by column, for a [Transform].
///
/// Read values as Java arrays, and make columns from arrays. Immutable: every change returns
/// another block that shares the unchanged columns.
///
/// **Ownership.** Columns that were read from a file belong to the loader: they are valid during
/// [Transform#apply] only. Arrays are copied.
///
/// **Threads.** One at a time.
///
/// **Errors.** A column that does not exist or is of another type, and an array whose length is not
/// [#rowCount()], are an [IllegalArgumentException].
@CheckReturnValue
public final class ColumnBlock {
  private final Schema schema;
  private final int rowCount;
  private final List<ColumnSlice> columns;
  private final ColumnBlock first; // of which this was made by methods of it and of its results
  private final int @Nullable [] rows; // which rows of the first these are; null if all, in order

  /// Makes a block.
  ///
  /// @param schema the columns
  /// @param rowCount the rows
  /// @param columns the values of each column, of `rowCount` rows
  public ColumnBlock(Schema schema, int rowCount, List<ColumnSlice> columns) {
    this(schema, rowCount, columns, null, null);
  }

  private ColumnBlock(
      Schema schema,
      int rowCount,
      List<ColumnSlice> columns,
      @Nullable ColumnBlock first,
      int @Nullable [] rows) {
    if (schema.size() != columns.size()) {
      throw new IllegalArgumentException(
          "A block of " + schema.size() + " columns needs as many, got " + columns.size() + ".");
    }
    for (int i = 0; i < columns.size(); i++) {
      requireRows(schema.fields().get(i).name(), columns.get(i).rowCount(), rowCount);
    }
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = List.copyOf(columns);
    this.first = first == null ? this : first;
    this.rows = rows;
  }

  /// Returns the same rows with other columns.
  ColumnBlock withColumns(List<Field> fields, List<ColumnSlice> slices) {
    return new ColumnBlock(Schema.of(fields), rowCount, slices, first, rows);
  }

  /// {@return a block of no rows}
  ///
  /// @param schema the columns
  public static ColumnBlock empty(Schema schema) {
    return new ColumnBlock(
        schema,
        0,
        schema.fields().stream()
            .map(field -> ColumnCopy.of(field.type(), Texts.WRITTEN_OUT, new HeapScratch()).slice())
            .toList());
  }

  private static void requireRows(String column, int rows, int expected) {
    if (rows != expected) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot have column '%s' with %s rows in a block of %s.", column, rows, expected));
    }
  }

  /// {@return the columns}
  public Schema schema() {
    return schema;
  }

  /// {@return how many rows there are}
  public int rowCount() {
    return rowCount;
  }

  /// {@return the values of a column in memory, without a copy}
  ///
  /// @param column the column's name
  public ColumnSlice slice(String column) {
    return columns.get(index(column));
  }

  private int index(String column) {
    int index = schema.indexOf(column);
    if (index < 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot transform column '%s': no such column in the block. %s",
              column, Choices.listed("Columns", column, schema.names())));
    }
    return index;
  }

  private ColumnArrays column(String column) {
    int index = index(column);
    return new ColumnArrays(schema.fields().get(index), columns.get(index));
  }

  /// {@return by row, whether the value is not null}
  ///
  /// @param column the column's name
  public boolean[] present(String column) {
    return column(column).present();
  }

  /// {@return the numbers of a column, by row: the nearest double; NaN for a null}
  ///
  /// @param column a column of integers, floating-point numbers, decimals or booleans (0 and 1)
  public double[] doubles(String column) {
    return column(column).doubles();
  }

  /// {@return the numbers of a column, by row: the nearest float; NaN for a null}
  ///
  /// @param column as for [#doubles]
  public float[] floats(String column) {
    return column(column).floats();
  }

  /// {@return the whole numbers of a column, by row (of unsigned 64-bit integers the bits); 0 for a
  /// null}
  ///
  /// @param column a column of integers, or of dates, times or timestamps, which count their unit
  public long[] longs(String column) {
    return column(column).longs();
  }

  /// {@return the booleans of a column, by row; false for a null}
  ///
  /// @param column a column of booleans
  public boolean[] booleans(String column) {
    return column(column).booleans();
  }

  /// {@return the texts of a column, by row; null for a null}
  ///
  /// @param column a column of strings
  public String[] strings(String column) {
    return column(column).strings();
  }

  /// Returns the xxHash64 of the values of a column of strings or integers; see [HashBuckets].
  long[] hashes(String column) {
    return column(column).hashes();
  }

  /// {@return a block with a column of 64-bit floating-point numbers, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the value
  public ColumnBlock with(String column, double[] values) {
    return with(new Field(column, new DataType.Floating(64), false), ColumnArrays.of(values));
  }

  /// {@return a block with a column of 32-bit floating-point numbers, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the value
  public ColumnBlock with(String column, float[] values) {
    return with(new Field(column, new DataType.Floating(32), false), ColumnArrays.of(values));
  }

  /// {@return a block with a column of 64-bit integers, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the value
  public ColumnBlock with(String column, long[] values) {
    return with(new Field(column, new DataType.Int(64, true), false), ColumnArrays.of(values));
  }

  /// {@return a block with a column of 32-bit integers, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the value
  public ColumnBlock with(String column, int[] values) {
    return with(new Field(column, new DataType.Int(32, true), false), ColumnArrays.of(values));
  }

  /// {@return a block with a column of booleans, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the value
  public ColumnBlock with(String column, boolean[] values) {
    return with(new Field(column, new DataType.Bool(), false), ColumnArrays.of(values));
  }

  /// {@return a block with a nullable column of strings, in place of one of that name}
  ///
  /// @param column the column's name
  /// @param values by row, the text, or null
  public ColumnBlock with(String column, String[] values) {
    return with(new Field(column, new DataType.Utf8(), true), ColumnArrays.of(values));
  }

  /// {@return a block with a column, in place of one of that name}
  ///
  /// @param field the column
  /// @param values its values
  public ColumnBlock with(Field field, ColumnSlice values) {
    requireRows(field.name(), values.rowCount(), rowCount);
    if (!values.type().equals(field.type())) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot have column '%s' of %s with values of %s.",
              field.name(), field.type(), values.type()));
    }
    List<Field> fields = new ArrayList<>(schema.fields());
    List<ColumnSlice> slices = new ArrayList<>(columns);
    int index = schema.indexOf(field.name());
    if (index < 0) {
      fields.add(field);
      slices.add(values);
    } else {
      fields.set(index, field);
      slices.set(index, values);
    }
    return withColumns(fields, slices);
  }

  /// {@return a block in which a column is nullable, and null in some rows}
  ///
  /// @param column the column's name
  /// @param present by row, whether the value stays; the other values become null
  public ColumnBlock withPresent(String column, boolean[] present) {
    requireRows(column, present.length, rowCount);
    int index = index(column);
    Field field = schema.fields().get(index);
    return with(
        new Field(column, field.type(), true),
        ColumnArrays.withPresent(columns.get(index), present));
  }

  /// {@return a block without some columns}
  ///
  /// @param names the columns
  /// @throws IllegalArgumentException if no column is left
  public ColumnBlock without(String... names) {
    Set<Integer> out = Arrays.stream(names).map(this::index).collect(Collectors.toSet());
    int[] left = IntStream.range(0, columns.size()).filter(i -> !out.contains(i)).toArray();
    if (left.length == 0) {
      throw new IllegalArgumentException("Cannot leave out all columns: " + schema.names() + ".");
    }
    return withColumns(
        Arrays.stream(left).mapToObj(schema.fields()::get).toList(),
        Arrays.stream(left).mapToObj(columns::get).toList());
  }

  /// {@return a block of the rows that are kept}
  ///
  /// @param keep by row, whether it is kept
  public ColumnBlock filter(boolean[] keep) {
    if (keep.length != rowCount) {
      throw new IllegalArgumentException(
          "Cannot filter " + rowCount + " rows by " + keep.length + " answers.");
    }
    return take(IntStream.range(0, rowCount).filter(row -> keep[row]).toArray());
  }

  /// {@return a block of rows in any order; a row may repeat}
  ///
  /// @param rows the rows, each in `[0, rowCount())`
  /// @throws IndexOutOfBoundsException if one of `rows` is out of range
  public ColumnBlock take(int... rows) {
    for (int row : rows) {
      java.util.Objects.checkIndex(row, rowCount);
    }
    List<ColumnSlice> taken = new ArrayList<>();
    for (ColumnSlice column : columns) {
      ColumnCopy copy = ColumnCopy.of(column.type(), Texts.WRITTEN_OUT, new HeapScratch());
      copy.append(column, Selection.of(rows, 0, rows.length, 0));
      taken.add(copy.slice());
    }
    int[] mine = this.rows;
    int[] ofFirst =
        mine == null ? rows.clone() : Arrays.stream(rows).map(row -> mine[row]).toArray();
    return new ColumnBlock(schema, rows.length, taken, first, ofFirst);
  }

  /// {@return a function from a row of this block to the row of another block that it came from, so
  /// that errors can name it; null if this was not made of the other by methods of this class}
  ///
  /// @param other the block that a transform was given
  public @Nullable IntUnaryOperator rowsOf(ColumnBlock other) {
    int[] ofFirst = rows;
    if (first != other) {
      return null;
    }
    return ofFirst == null ? IntUnaryOperator.identity() : row -> ofFirst[row];
  }

  @Override
  public String toString() {
    return rowCount + " rows of " + schema;
  }
}
