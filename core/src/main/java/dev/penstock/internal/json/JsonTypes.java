package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
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
  private final Seen records = new Seen(null, "");
  private final Map<String, Advice> doubts = new LinkedHashMap<>();
  private int objects;
  private int count; // of fields in all objects
  private long row = -1;

  /// What a value is by its syntax.
  private enum Kind {
    OBJECT("objects", "an object"),
    ARRAY("arrays", "an array"),
    TEXT("texts", "a text"),
    NUMBER("numbers", "a number"),
    LARGE("whole numbers of more than 64 bits", "a whole number of more than 64 bits"),
    TRUTH("true or false", "true or false");

    private final String many;
    private final String one;

    Kind(String many, String one) {
      this.many = many;
      this.one = one;
    }

    /// Returns that of a word that is not null.
    static Kind of(DataType word) {
      return word instanceof DataType.Bool ? TRUTH : word instanceof DataType.Utf8 ? LARGE : NUMBER;
    }
  }

  /// What values of one place were so far: if objects then with `fields`, if arrays then with an
  /// `element`, else of a type; a string if they were mixed.
  private static final class Seen {
    private final @Nullable Seen parent;
    private final String name;
    private @Nullable Kind kind; // of the first value
    private boolean isMixed; // whether a value is of another kind
    private DataType type = TextTypes.UNKNOWN;
    private @Nullable Map<String, Seen> fields;
    private @Nullable Seen element;
    private int object; // the number of the last object with this field

    /// @param name the name of the field; empty for the elements of an array
    private Seen(@Nullable Seen parent, String name) {
      this.parent = parent;
      this.name = name;
    }

    /// Returns the dotted path, in which arrays do not show.
    private String path() {
      String before = parent == null ? "" : parent.path();
      return before.isEmpty() ? name : name.isEmpty() ? before : before + "." + name;
    }

    /// Returns whether it is within a value that is read as text as a whole.
    private boolean isWithinText() {
      return parent != null && (parent.isMixed || parent.isWithinText());
    }

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

  /// Returns why columns, or parts of them, are read as text: their values are of several kinds.
  Map<String, Advice> doubts() {
    return doubts;
  }

  void record() throws MalformedJsonException {
    row++;
    object(records, 0);
  }

  private void kind(Seen seen, Kind kind) {
    Kind first = seen.kind;
    if (first == null) {
      seen.kind = kind;
    } else if (first != kind && !seen.isMixed) {
      seen.isMixed = true;
      if (!seen.isWithinText()) {
        String path = seen.path();
        doubts.putIfAbsent(
            path,
            Advice.of(
                "%s State what is meant with %s.",
                Sentence.of(
                    "Column '%s' is read as text: its values are %s, but that of row %s is %s.",
                    path, first.many, row, kind.one),
                Remedy.CAST));
      }
    }
  }

  private void object(Seen seen, int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    if (!text.opens('{', '}')) {
      return;
    }
    kind(seen, Kind.OBJECT);
    if (seen.isUnknown()) {
      seen.fields = new LinkedHashMap<>();
    }
    if (seen.fields != null) {
      fields(seen, seen.fields, depth);
    } else {
      mix(seen);
      int before = count;
      fields(seen, new HashMap<>(), depth);
      count = before;
    }
  }

  private void fields(Seen of, Map<String, Seen> fields, int depth) throws MalformedJsonException {
    int object = ++objects;
    do {
      text.string();
      strings.take(text);
      String name = TextColumn.text(strings.from, strings.to);
      long start = text.from;
      Seen field = fields.get(name);
      if (field == null) {
        field = new Seen(of, name);
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
        kind(seen, Kind.TEXT);
        scalar(seen, time ? type : DataType.string());
      }
      default -> {
        text.word();
        if (Swar.load(text.from) != 'n') {
          DataType type = TextTypes.of(text.from, text.to);
          kind(seen, Kind.of(type));
          scalar(seen, type);
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
    kind(seen, Kind.ARRAY);
    if (seen.isUnknown()) {
      seen.element = new Seen(seen, "");
    }
    if (seen.element != null) {
      elementsOf(seen.element, depth);
    } else {
      mix(seen);
      int before = count;
      elementsOf(new Seen(seen, ""), depth);
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
