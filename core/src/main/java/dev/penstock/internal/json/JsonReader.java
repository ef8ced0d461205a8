package dev.penstock.internal.json;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.json.JsonColumn.Shared;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.TextReader;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Decodes a run of records, each value from its bytes straight into its column.
final class JsonReader extends TextReader {
  private static final int ROWS_MAX = 8192;

  /// The path to a requested column: a top-level field, then fields of structs.
  ///
  /// @param field the top-level field's place among the fields to read
  /// @param parts the places of the parts on the path from there
  private record Path(Field stored, int field, List<Integer> parts) {}

  private final JsonRecords records;
  private final JsonObject object;
  private final List<Path> paths;

  JsonReader(Run run, JsonMetadata metadata, boolean lines, boolean strict) throws IOException {
    List<Path> found = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (Field column : run.columns().fields()) {
      found.add(path(run.file(), metadata.schema(), column, fields));
    }
    super(run, metadata.form(), metadata.groups(), ROWS_MAX);
    this.paths = found;
    Shared shared = new Shared(strict, new JsonStrings(run.memory()), run.memory());
    this.object = new JsonObject("", fields, metadata.sample().schema().fields(), shared);
    this.records = new JsonRecords(window, lines);
  }

  /// Finds a column, and adds its top-level field to the fields to read.
  private static Path path(StorageFile file, Schema schema, Field column, List<Field> fields)
      throws MalformedFileException {
    FilePlace named = new FilePlace(file.location(), "column '" + column.name() + "'");
    ReadRequest.requireReadable(named, "JSON", schema, column);
    List<Field> inside = schema.fields();
    List<Integer> places = new ArrayList<>();
    String rest = column.name();
    while (true) {
      int place = place(inside, rest);
      places.add(place);
      Field found = inside.get(place);
      if (found.name().equals(rest)) {
        break;
      }
      rest = rest.substring(found.name().length() + 1);
      inside = ((DataType.Struct) found.type()).fields();
    }
    Field top = schema.fields().get(places.getFirst());
    int field = fields.indexOf(top);
    if (field < 0) {
      field = fields.size();
      fields.add(top);
    }
    return new Path(top, field, places.subList(1, places.size()));
  }

  /// Returns the field with a name, or else the struct whose parts have the rest of the name.
  private static int place(List<Field> fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (field.type() instanceof DataType.Struct(List<Field> parts)
          && name.startsWith(field.name() + ".")
          && place(parts, name.substring(field.name().length() + 1)) >= 0) {
        return i;
      }
    }
    return -1;
  }

  @Override
  protected void skipRecords(long count) throws IOException {
    records.skip(count);
  }

  @Override
  protected int decode(int most) throws IOException {
    if (!records.next()) {
      throw window.fail(
          window.to(),
          "",
          "Corrupt JSON: " + rowsLeft() + " more records were there when planned.");
    }
    object.begin(most);
    int rows = 0;
    try {
      do {
        object.read(records.text, rows++, 0);
        records.end();
      } while (rows < most && records.nextInMemory());
    } catch (MalformedJsonException e) {
      throw records.fail(e);
    }
    for (Path path : paths) {
      if (!path.stored().nullable() && object.nulls(path.field()) > 0) {
        throw refuseNull(path.stored().name());
      }
    }
    return rows;
  }

  private MalformedFileException refuseNull(String name) throws IOException {
    return window.fail(
        records.text.at,
        "column '" + name + "'",
        "Cannot read column '" + name + "': it is null before here but was stated not to be.");
  }

  @Override
  public ColumnSlice column(int index) {
    Path path = paths.get(index);
    ColumnSlice slice = object.slice(path.field(), sliceRows());
    for (int part : path.parts()) {
      slice = slice.children().get(part);
    }
    return slice;
  }
}
