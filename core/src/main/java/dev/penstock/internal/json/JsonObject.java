package dev.penstock.internal.json;

import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads objects: each field into its column, missing fields as null.
///
/// Objects of a file tend to have their fields in the same order, so the field after the last one
/// is tried first.
final class JsonObject {
  /// How many fields are tried in order; objects with more may have them in any.
  private static final int NEAR = 32;

  private final String path;
  private final boolean strict;
  private final JsonStrings strings;
  private final List<byte[]> names = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final List<@Nullable JsonColumn> columns = new ArrayList<>();

  /// By field, the number of the last object that had it; objects count from 1.
  private final int[] seen;

  private final int wanted;
  private int objects;

  /// Makes a reader of objects at a path, which is empty for records. `others` are known fields,
  /// which may be left out; if `strict`, yet others are an error.
  JsonObject(
      String path,
      List<Field> fields,
      List<Field> others,
      boolean strict,
      JsonStrings strings,
      ScratchMemory memory) {
    this.path = path;
    this.strict = strict;
    this.strings = strings;
    this.wanted = fields.size();
    String start = path.isEmpty() ? "" : path + ".";
    Map<String, DataType> sampled = new HashMap<>();
    others.forEach(other -> sampled.putIfAbsent(other.name(), other.type()));
    for (Field field : fields) {
      DataType known = sampled.getOrDefault(field.name(), field.type());
      places.put(field.name(), names.size());
      names.add(field.name().getBytes(StandardCharsets.UTF_8));
      columns.add(
          JsonColumn.of(start + field.name(), field.type(), known, strict, strings, memory));
    }
    for (Field other : others) {
      if (places.putIfAbsent(other.name(), names.size()) == null) {
        names.add(other.name().getBytes(StandardCharsets.UTF_8));
        columns.add(null);
      }
    }
    this.seen = new int[names.size()];
  }

  private JsonColumn column(int index) {
    return Objects.requireNonNull(columns.get(index));
  }

  void begin(int rows) {
    for (int i = 0; i < wanted; i++) {
      column(i).begin(rows);
    }
  }

  void read(JsonText text, int row, int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    if (text.peek() != '{') {
      text.skip(depth);
      throw JsonColumn.refuse(
          path,
          new DataType.Unsupported(path.isEmpty() ? "a record" : "a struct"),
          text,
          "no object");
    }
    text.at++;
    objects++;
    int next = 0;
    int count = 0;
    if (text.peek() != '}') {
      while (true) {
        text.string();
        int field = find(text, next);
        if (field >= 0 && seen[field] == objects) {
          throw new MalformedJsonException(
              "field '" + TextColumn.text(text.from, text.to) + "' is there twice", text.from);
        }
        text.expect(':');
        if (field >= 0 && field < wanted) {
          column(field).read(text, row, depth + 1);
          count++;
        } else {
          text.skip(depth + 1);
        }
        if (field >= 0) {
          seen[field] = objects;
          next = field + 1;
        }
        if (text.peek() != ',') {
          break;
        }
        text.at++;
      }
    }
    if (text.peek() != '}') {
      throw text.unexpected("',' or '}'");
    }
    text.at++;
    for (int i = 0; count < wanted; i++) {
      if (seen[i] != objects) {
        column(i).setNull(row);
        count++;
      }
    }
  }

  /// Returns the field that the last string names, or -1 for one to ignore.
  private int find(JsonText text, int next) throws MalformedJsonException {
    long from = text.from;
    long to = text.to;
    if (text.escaped) {
      strings.unescape(from, to);
      from = strings.from();
      to = strings.to();
    }
    int count = names.size();
    for (int i = 0; i < Math.min(count, NEAR); i++) {
      int field = next + i < count ? next + i : next + i - count;
      if (equals(names.get(field), from, to)) {
        return field;
      }
    }
    Integer far = count > NEAR ? places.get(TextColumn.text(from, to)) : null;
    if (far != null && equals(names.get(far), from, to)) {
      return far;
    }
    if (strict) {
      throw new MalformedJsonException(
          ("field '%s' %sis not in the sample. Set format option 'sample-rows' to more records"
                  + " than are before it, or 'unknown' to 'ignore' to leave it out")
              .formatted(TextColumn.text(from, to), path.isEmpty() ? "" : "of '" + path + "' "),
          text.from);
    }
    return -1;
  }

  private static boolean equals(byte[] name, long from, long to) {
    if (name.length != to - from) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      if (Swar.load(from + i) != name[i]) {
        return false;
      }
    }
    return true;
  }

  void setNull(int row) {
    for (int i = 0; i < wanted; i++) {
      column(i).setNull(row);
    }
  }

  List<ColumnSlice> slices(int rows) {
    ColumnSlice[] slices = new ColumnSlice[wanted];
    for (int i = 0; i < wanted; i++) {
      slices[i] = slice(i, rows);
    }
    return Arrays.asList(slices);
  }

  ColumnSlice slice(int field, int rows) {
    return column(field).slice(rows);
  }

  int nulls(int field) {
    return column(field).nulls();
  }

  void release() {
    for (int i = 0; i < wanted; i++) {
      column(i).release();
    }
  }
}
