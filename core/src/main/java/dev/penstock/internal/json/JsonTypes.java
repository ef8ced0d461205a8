package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ScratchMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Detects the types of a sample of JSON: those of each value are joined with those of the values
/// in its place before, so a record takes time for its own fields only, however many others had.
final class JsonTypes {
  /// What the error of too many fields begins with.
  static final String TOO_MANY = "the records have more than ";

  private final JsonText text;
  private final JsonStrings strings;
  private final Seen records = new Seen();
  private int objects;
  private int count; // of fields in all objects

  /// What values of one place were so far: if objects then with `fields`, if arrays then with an
  /// `element`, else of a type; a string if they were mixed.
  private static final class Seen {
    private DataType type = TextTypes.UNKNOWN;
    private @Nullable Map<String, Seen> fields;
    private @Nullable Seen element;
    private int object; // the number of the last object with this field

    private boolean isUnknown() {
      return fields == null && element == null && type.equals(TextTypes.UNKNOWN);
    }

    private DataType type() {
      if (fields != null) {
        return new DataType.Struct(fields(fields));
      }
      return element != null ? new DataType.List(element.type(), true) : type;
    }

    private static List<Field> fields(Map<String, Seen> seen) {
      List<Field> fields = new ArrayList<>();
      seen.forEach((name, each) -> fields.add(new Field(name, each.type(), true)));
      return fields;
    }
  }

  JsonTypes(JsonText text, ScratchMemory memory) {
    this.text = text;
    this.strings = new JsonStrings(memory);
  }

  List<Field> fields() {
    return records.fields == null ? List.of() : Seen.fields(records.fields);
  }

  void record() throws MalformedJsonException {
    object(records, 0);
  }

  private void object(Seen seen, int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    if (!text.opens('{', '}')) {
      return;
    }
    if (seen.isUnknown()) {
      seen.fields = new LinkedHashMap<>();
    }
    if (seen.fields != null) {
      fields(seen.fields, depth);
    } else {
      mix(seen);
      int before = count;
      fields(new HashMap<>(), depth);
      count = before;
    }
  }

  private void fields(Map<String, Seen> fields, int depth) throws MalformedJsonException {
    int object = ++objects;
    do {
      text.string();
      strings.take(text);
      String name = TextColumn.text(strings.from, strings.to);
      long start = text.from;
      Seen field = fields.get(name);
      if (field == null) {
        field = new Seen();
        fields.put(name, field);
        if (++count > TextTypes.COLUMNS_MAX) {
          throw new MalformedJsonException(
              Advice.of(
                  "%s%s different fields, at all depths together. If they are the keys of a map,"
                      + " take a smaller sample with %s%s",
                  TOO_MANY,
                  TextTypes.COLUMNS_MAX,
                  Remedy.formatOption("sample-rows"),
                  Remedy.call("schemaFrom").within(", and state the map with ", "")),
              start);
        }
      } else if (field.object == object) {
        throw new MalformedJsonException("field '" + name + "' is there twice", start);
      }
      field.object = object;
      text.expect(':');
      value(field, depth + 1);
    } while (text.goesOn('}'));
  }

  private void value(Seen seen, int depth) throws MalformedJsonException {
    switch (text.peek()) {
      case '{' -> object(seen, depth);
      case '[' -> elements(seen, depth);
      case '"' -> {
        text.string();
        DataType type = text.escaped ? DataType.string() : TextTypes.of(text.from, text.to);
        boolean time = type instanceof DataType.Date || type instanceof DataType.Timestamp;
        scalar(seen, time ? type : DataType.string());
      }
      default -> {
        text.word();
        if (Swar.load(text.from) != 'n') {
          scalar(seen, TextTypes.of(text.from, text.to));
        }
      }
    }
  }

  private void scalar(Seen seen, DataType type) {
    if (seen.fields != null || seen.element != null) {
      mix(seen);
    } else {
      seen.type = TextTypes.joined(seen.type, type);
    }
  }

  private void elements(Seen seen, int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    if (seen.isUnknown()) {
      seen.element = new Seen();
    }
    if (seen.element != null) {
      elementsOf(seen.element, depth);
    } else {
      mix(seen);
      int before = count;
      elementsOf(new Seen(), depth);
      count = before;
    }
  }

  private void elementsOf(Seen element, int depth) throws MalformedJsonException {
    for (boolean more = text.opens('[', ']'); more; more = text.goesOn(']')) {
      value(element, depth + 1);
    }
  }

  /// Makes a string of what had values of several kinds.
  private void mix(Seen seen) {
    count -= size(seen);
    seen.fields = null;
    seen.element = null;
    seen.type = DataType.string();
  }

  private static int size(Seen seen) {
    int size = 0;
    if (seen.fields != null) {
      for (Seen field : seen.fields.values()) {
        size += 1 + size(field);
      }
    }
    return seen.element != null ? size(seen.element) : size;
  }
}
