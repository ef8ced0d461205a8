package dev.penstock.internal.json;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.TextBuffer;
import dev.penstock.internal.text.TextGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Decodes a run of records, each value from its bytes straight into its column.
final class JsonReader implements SliceReader {
  private static final int ROWS_MAX = 8192;

  /// The path to a requested column: a top-level field, then fields of structs.
  ///
  /// @param field the top-level field's place among the fields to read
  /// @param parts the places of the parts on the path from there
  private record Path(Field stored, int field, List<Integer> parts) {}

  private final TextBuffer window;
  private final JsonRecords records;
  private final JsonStrings strings;
  private final JsonObject object;
  private final List<Path> paths = new ArrayList<>();
  private long skipRows;
  private long rowsLeft;
  private int sliceRows;

  JsonReader(
      StorageFile file,
      JsonMetadata metadata,
      JsonFiles format,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    List<Field> fields = new ArrayList<>();
    for (Field column : columns.fields()) {
      paths.add(path(file, metadata.schema(), column, fields));
    }
    this.strings = new JsonStrings(memory);
    this.object =
        new JsonObject(
            "", fields, metadata.sampled().fields(), format.options().strict(), strings, memory);
    this.rowsLeft = rowCount;
    List<TextGroup> groups = metadata.groups().groups();
    int group = 0;
    long skip = firstRow;
    while (group < groups.size() - 1 && skip >= groups.get(group).rows()) {
      skip -= groups.get(group++).rows();
    }
    this.skipRows = skip;
    this.window = TextBuffer.open(file, metadata.form(), groups, group, skip + rowCount, memory);
    this.records = new JsonRecords(window, format.lines());
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
  public int next(int maxRows) throws IOException {
    if (maxRows < 1) {
      throw new IllegalArgumentException("Rows must be at least 1, got " + maxRows);
    }
    if (rowsLeft == 0) {
      return 0;
    }
    records.skip(skipRows);
    skipRows = 0;
    int most = (int) Math.min(Math.min(maxRows, ROWS_MAX), rowsLeft);
    if (!records.next()) {
      throw window.fail(
          window.to(), "", "Corrupt JSON: " + rowsLeft + " more records were there when planned.");
    }
    object.begin(most);
    int rows = 0;
    try {
      do {
        object.read(records.text(), rows++, 0);
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
    rowsLeft -= rows;
    sliceRows = rows;
    return rows;
  }

  private MalformedFileException refuseNull(String name) throws IOException {
    return window.fail(
        records.text().at,
        "column '" + name + "'",
        "Cannot read column '" + name + "': it is null before here but was stated not to be.");
  }

  @Override
  public void skip(long rows) {
    if (rows > rowsLeft) {
      throw new IllegalArgumentException(
          "Cannot skip " + rows + " rows: only " + rowsLeft + " are left.");
    }
    skipRows += rows;
    rowsLeft -= rows;
  }

  @Override
  public ColumnSlice column(int index) {
    Path path = paths.get(index);
    ColumnSlice slice = object.slice(path.field(), sliceRows);
    for (int part : path.parts()) {
      slice = slice.children().get(part);
    }
    return slice;
  }

  @Override
  public void close() {
    window.close();
    object.release();
    strings.release();
  }
}
