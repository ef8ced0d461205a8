package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.json.JsonColumn.Shared;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads objects: each field into its column, missing fields as null.
///
/// Objects of a file tend to have their fields in the same order, so the field after the last one
/// is tried first.
final class JsonObject {
  /// How many fields are tried in order; objects with more may have them in any.
  private static final int NEAR = 32;

  private final String path;
  private final Shared shared;
  private final JsonName[] names;
  private final Map<String, Integer> places = new HashMap<>();
  private final JsonColumn[] columns; // that are wanted

  /// By field, the number of the last object that had it; objects count from 1.
  private final int[] seen;

  private final int wanted;
  private int objects;

  /// Makes a reader of objects at a path, which is empty for records. `others` are known fields,
  /// which may be left out.
  JsonObject(String path, List<Field> fields, List<Field> others, Shared shared) {
    this.path = path;
    this.shared = shared;
    this.wanted = fields.size();
    String start = path.isEmpty() ? "" : path + ".";
    Map<String, DataType> sampled = new HashMap<>();
    others.forEach(other -> sampled.putIfAbsent(other.name(), other.type()));
    List<JsonName> all = new ArrayList<>();
    this.columns = new JsonColumn[wanted];
    for (Field field : fields) {
      DataType known = sampled.getOrDefault(field.name(), field.type());
      columns[all.size()] = JsonColumn.of(start + field.name(), field.type(), known, shared);
      places.put(field.name(), all.size());
      all.add(name(field));
    }
    for (Field other : others) {
      if (places.putIfAbsent(other.name(), all.size()) == null) {
        all.add(name(other));
      }
    }
    this.names = all.toArray(new JsonName[0]);
    this.seen = new int[names.length];
  }

  private static JsonName name(Field field) {
    return new JsonName(field.name().getBytes(StandardCharsets.UTF_8));
  }

  void begin(int rows) {
    for (int i = 0; i < wanted; i++) {
      columns[i].begin(rows);
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
    objects++;
    int next = 0;
    int count = 0;
    for (boolean more = text.opens('{', '}'); more; more = text.goesOn('}')) {
      boolean usual = next < names.length && text.takes(names[next]);
      int field = next;
      if (!usual) {
        text.string();
        field = find(text, next);
      }
      if (field >= 0 && seen[field] == objects) {
        throw new MalformedJsonException(
            "field '" + TextColumn.text(text.from, text.to) + "' is there twice", text.from);
      }
      if (!usual) {
        text.expect(':');
      }
      if (field >= 0 && field < wanted) {
        columns[field].read(text, row, depth + 1);
        count++;
      } else {
        text.skip(depth + 1);
      }
      if (field >= 0) {
        seen[field] = objects;
        next = field + 1;
      }
    }
    for (int i = 0; count < wanted; i++) {
      if (seen[i] != objects) {
        columns[i].setNull(row);
        count++;
      }
    }
  }

  /// Returns the field that the last string names, or -1 for one to ignore.
  private int find(JsonText text, int next) throws MalformedJsonException {
    shared.strings().take(text);
    long from = shared.strings().from;
    long to = shared.strings().to;
    int count = names.length;
    for (int i = 0; i < Math.min(count, NEAR); i++) {
      int field = next + i < count ? next + i : next + i - count;
      if (names[field].is(from, to)) {
        return field;
      }
    }
    Integer far = count > NEAR ? places.get(TextColumn.text(from, to)) : null;
    if (far != null && names[far].is(from, to)) {
      return far;
    }
    if (shared.strict()) {
      throw new MalformedJsonException(
          Advice.of(
              "field '%s' %sis not in the sample. Set %s to more records than are before it, or"
                  + " 'unknown' to 'ignore' to leave it out",
              TextColumn.text(from, to),
              path.isEmpty() ? "" : "of '" + path + "' ",
              Remedy.formatOption("sample-rows")),
          text.from);
    }
    return -1;
  }

  void setNull(int row) {
    for (int i = 0; i < wanted; i++) {
      columns[i].setNull(row);
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
    return columns[field].slice(rows);
  }

  int nulls(int field) {
    return columns[field].nulls();
  }
}
