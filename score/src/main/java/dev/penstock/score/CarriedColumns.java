package dev.penstock.score;

import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.score.parquet.Values;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The columns of the table that go into the scores: keys, and what else is carried along.
///
/// @param fields they, in the order in which they are written
record CarriedColumns(List<Field> fields) {
  private static final String MASK = ".mask";

  /// Looks up columns.
  ///
  /// @throws IllegalArgumentException if one is not there, or cannot be written
  static CarriedColumns of(Schema table, List<String> names, Feeding feeding) {
    List<Field> fields = new ArrayList<>();
    for (String name : names) {
      Field field =
          table
              .find(name)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "Cannot write column '"
                          + name
                          + "' beside the scores: the table has none of that name, but "
                          + String.join(", ", table.names())
                          + "."));
      switch (field.type()) {
        case DataType.List _,
            DataType.Struct _,
            DataType.Map _,
            DataType.Variant _,
            DataType.Interval _,
            DataType.Null _,
            DataType.Unsupported _ ->
            throw new IllegalArgumentException(
                "Cannot write column '"
                    + name
                    + "' beside the scores: its type is "
                    + field.type()
                    + ", expected a number, text, bytes, a date or a time. Name a field of it, or"
                    + " join it by the keys later.");
        default -> fields.add(field);
      }
      if (isMasked(field) && feeding.isAlone(name)) {
        throw new IllegalArgumentException(
            "Cannot write column '"
                + name
                + "' beside the scores: it may be null, and the model reads it as it is, so that a"
                + " null could not be told from a number. Leave it out, or have it read as float32"
                + " by cast().");
      }
    }
    return new CarriedColumns(List.copyOf(fields));
  }

  private static boolean isTensor(DataType type) {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          true;
      default -> false;
    };
  }

  private static boolean isMasked(Field field) {
    return field.nullable() && isTensor(field.type());
  }

  List<OutputColumn> outputs() {
    return fields.stream()
        .map(field -> new OutputColumn(field.name(), field.type(), field.nullable()))
        .toList();
  }

  /// Returns how many bytes a row has, about: 16 for what has no fixed size.
  long rowBytes() {
    long bytes = 0;
    for (Field field : fields) {
      bytes +=
          switch (field.type()) {
            case DataType.Bool _ -> 1;
            case DataType.Int(int bits, boolean _) -> bits / 8;
            case DataType.Floating(int bits) -> bits / 8;
            case DataType.FixedBinary(int width) -> width;
            default -> 16;
          };
    }
    return bytes;
  }

  /// Has nulls delivered as what they are.
  LoaderOptions options(LoaderOptions options) {
    LoaderOptions changed =
        options.keepColumns(fields.stream().map(Field::name).toArray(String[]::new));
    for (Field field : fields) {
      if (isMasked(field)) {
        changed = changed.nulls(field.name(), NullPolicy.mask());
      }
    }
    return changed;
  }

  /// Returns what is written for the rows of a batch.
  ///
  /// @throws IOException if a value is not one of its type, because the file is faulty
  List<Values> values(Batch batch) throws IOException {
    List<Values> values = new ArrayList<>();
    for (Field field : fields) {
      String name = field.name();
      Object column = batch.column(name);
      values.add(
          new Values(
              column instanceof ColumnSlice slice ? objects(name, slice) : column,
              isMasked(field) ? batch.tensor(name + MASK) : null));
    }
    return values;
  }

  /// Returns the values of a column that another process reads in Arrow's layout.
  private static List<@Nullable Object> objects(String name, ColumnSlice slice) throws IOException {
    @Nullable Object[] objects = new Object[slice.rowCount()];
    ObjectMaker maker = ObjectMaker.of(slice.type());
    maker.bind(slice);
    try {
      maker.make(0, objects.length, objects, 0);
    } catch (BadValueException e) {
      throw new IOException(
          "Cannot write column '" + name + "' beside the scores: " + e.getMessage() + ".", e);
    }
    return Arrays.asList(objects);
  }
}
