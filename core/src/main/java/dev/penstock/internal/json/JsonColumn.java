package dev.penstock.internal.json;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.ColumnBuilder;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A column, or a part of one, that reads its values from JSON.
abstract sealed class JsonColumn {
  private static final int SHOWN_MAX = 60;

  private final ColumnBuilder present; // knows which rows are

  private JsonColumn(ColumnBuilder present) {
    this.present = present;
  }

  /// What the columns of a reader share. If `strict`, fields that are not in a sample are an error.
  record Shared(boolean strict, JsonStrings strings, ScratchMemory memory) {}

  /// Reads the next value of a text into a row; `depth` is how many values it is nested in.
  abstract void read(JsonText text, int row, int depth) throws MalformedJsonException;

  abstract ColumnSlice slice(int rows);

  void setNull(int row) {
    present.room(row + 1);
    present.setNull(row);
  }

  void begin(int rows) {
    present.begin(rows);
  }

  final int nulls() {
    return present.nulls();
  }

  /// Makes a column with a dotted name. `known` is the type found in a sample: its other fields may
  /// be left out.
  static JsonColumn of(String path, DataType type, DataType known, Shared shared) {
    return switch (type) {
      case DataType.Struct(List<Field> fields) -> {
        List<Field> others = known instanceof DataType.Struct(List<Field> some) ? some : List.of();
        yield new Struct(new JsonObject(path, fields, others, shared), type, shared.memory);
      }
      case DataType.List(DataType element, boolean _) -> {
        DataType inside = known instanceof DataType.List(DataType some, boolean _) ? some : known;
        yield new Elements(path, type, of(path, element, inside, shared), shared);
      }
      case DataType.Map map -> new Entries(path, map, shared);
      default -> new Scalar(path, TextColumn.of(type, shared.memory), shared.strings);
    };
  }

  static boolean isNull(JsonText text) throws MalformedJsonException {
    if (text.peek() != 'n') {
      return false;
    }
    text.word();
    return true;
  }

  static MalformedJsonException refuse(String path, DataType type, JsonText text, String why) {
    String shown = TextColumn.text(text.from, Math.min(text.to, text.from + SHOWN_MAX));
    return new MalformedJsonException(
        Sentence.of(
            "cannot read column '%s' as %s: '%s%s' is %s",
            path, type, shown, text.to - text.from > SHOWN_MAX ? "..." : "", why),
        text.from);
  }

  /// Values that are not nested. A string is read from the text between its quotes, any other value
  /// as it is written. A column of strings accepts any value.
  private static final class Scalar extends JsonColumn {
    private final String path;
    private final TextColumn values;
    private final JsonStrings strings;
    private final JsonRaw raw;
    private final boolean takesAll;
    private final boolean takesStrings;

    Scalar(String path, TextColumn values, JsonStrings strings) {
      super(values);
      this.path = path;
      this.values = values;
      this.strings = strings;
      this.raw = new JsonRaw(strings);
      this.takesAll = values.type() instanceof DataType.Utf8;
      this.takesStrings =
          !(values.type() instanceof DataType.Bool) && !(values.type() instanceof DataType.Int);
    }

    @Override
    void read(JsonText text, int row, int depth) throws MalformedJsonException {
      values.room(row + 1);
      byte first = text.peek();
      if (first == '"') {
        text.string();
        if (!takesStrings) {
          throw refuse(path, values.type(), text, "a string");
        }
        strings.take(text);
        if (!values.set(row, strings.from, strings.to)) {
          throw refuse(path, values.type(), text, values.refusal(strings.from, strings.to));
        }
      } else if (first == '{' || first == '[') {
        raw.read(text, depth);
        if (!takesAll || !values.set(row, text.from, text.to)) {
          throw refuse(path, values.type(), text, "no such value");
        }
      } else {
        text.word();
        if (Swar.load(text.from) == 'n') {
          values.setNull(row);
        } else if (!values.set(row, text.from, text.to)) {
          text.requireEnd();
          throw refuse(path, values.type(), text, values.refusal(text.from, text.to));
        }
      }
    }

    @Override
    ColumnSlice slice(int rows) {
      return values.slice(rows);
    }
  }

  private static final class Struct extends JsonColumn {
    private final JsonObject object;
    private final Presence presence;

    Struct(JsonObject object, DataType type, ScratchMemory memory) {
      Presence made = new Presence(type, memory, false);
      super(made);
      this.object = object;
      this.presence = made;
    }

    @Override
    void read(JsonText text, int row, int depth) throws MalformedJsonException {
      presence.room(row + 1);
      if (isNull(text)) {
        setNull(row);
      } else {
        object.read(text, row, depth);
      }
    }

    @Override
    void setNull(int row) {
      super.setNull(row);
      object.setNull(row);
    }

    @Override
    void begin(int rows) {
      super.begin(rows);
      object.begin(rows);
    }

    @Override
    ColumnSlice slice(int rows) {
      return ColumnSlice.struct(
          presence.type(), rows, presence.nulls(), presence.bits(), object.slices(rows));
    }
  }

  /// Columns with any number of values per row, between brackets. `missing` is the error for a
  /// value that does not begin with the bracket.
  private abstract static sealed class Repeated extends JsonColumn {
    private final String path;
    private final char open;
    private final char close;
    private final String missing;
    private final Presence presence;
    private int count;

    Repeated(String path, DataType type, char open, char close, String missing, Shared shared) {
      Presence made = new Presence(type, shared.memory, true);
      super(made);
      this.path = path;
      this.open = open;
      this.close = close;
      this.missing = missing;
      this.presence = made;
    }

    abstract void beginRow();

    /// Reads one value; `index` is how many were read before, in this row and earlier ones.
    abstract void readOne(JsonText text, int index, int depth) throws MalformedJsonException;

    final MalformedJsonException refuse(DataType type, JsonText text, String reason) {
      return JsonColumn.refuse(path, type, text, reason);
    }

    final int count() {
      return count;
    }

    @Override
    final void read(JsonText text, int row, int depth) throws MalformedJsonException {
      presence.room(row + 1);
      if (isNull(text)) {
        setNull(row);
        return;
      }
      if (text.peek() != open) {
        text.skip(depth);
        throw refuse(presence.type(), text, missing);
      }
      text.requireDepth(depth);
      beginRow();
      for (boolean more = text.opens(open, close); more; more = text.goesOn(close)) {
        readOne(text, count, depth + 1);
        count++;
      }
      presence.setEnd(row, count);
    }

    @Override
    final void setNull(int row) {
      super.setNull(row);
      presence.setEnd(row, count);
    }

    @Override
    void begin(int rows) {
      count = 0;
      super.begin(rows);
    }

    final ColumnSlice slice(int rows, ColumnSlice values) {
      return ColumnSlice.list(
          presence.type(), rows, nulls(), presence.bits(), presence.offsets(), values);
    }
  }

  private static final class Elements extends Repeated {
    private final JsonColumn element;

    Elements(String path, DataType type, JsonColumn element, Shared shared) {
      super(path, type, '[', ']', "no list", shared);
      this.element = element;
    }

    @Override
    void beginRow() {}

    @Override
    void readOne(JsonText text, int index, int depth) throws MalformedJsonException {
      element.read(text, index, depth);
    }

    @Override
    void begin(int rows) {
      super.begin(rows);
      element.begin(rows);
    }

    @Override
    ColumnSlice slice(int rows) {
      return slice(rows, element.slice(count()));
    }
  }

  /// Maps: each field of an object is an entry, its name the key.
  private static final class Entries extends Repeated {
    private final DataType.Map type;
    private final TextColumn keys;
    private final JsonColumn values;
    private final JsonStrings strings;
    private final Set<String> seen = new HashSet<>(); // keys in the row

    Entries(String path, DataType.Map type, Shared shared) {
      super(path, type, '{', '}', "no object", shared);
      this.type = type;
      this.keys = TextColumn.of(type.key(), shared.memory);
      this.values = of(path, type.value(), type.value(), shared);
      this.strings = shared.strings;
    }

    @Override
    void beginRow() {
      seen.clear();
    }

    @Override
    void readOne(JsonText text, int index, int depth) throws MalformedJsonException {
      text.string();
      strings.take(text);
      keys.room(index + 1);
      if (!keys.set(index, strings.from, strings.to)) {
        throw refuse(keys.type(), text, keys.refusal(strings.from, strings.to));
      }
      String key = TextColumn.text(strings.from, strings.to);
      if (!seen.add(key)) {
        throw new MalformedJsonException("field '" + key + "' is there twice", text.from);
      }
      text.expect(':');
      values.read(text, index, depth);
    }

    @Override
    void begin(int rows) {
      super.begin(rows);
      keys.begin(rows);
      values.begin(rows);
    }

    @Override
    ColumnSlice slice(int rows) {
      List<ColumnSlice> parts = List.of(keys.slice(count()), values.slice(count()));
      return slice(rows, ColumnSlice.struct(type.entry(), count(), 0, null, parts));
    }
  }

  /// Records which rows are present, and where their elements end.
  private static final class Presence extends ColumnBuilder {
    private final Buffer offsets;
    private final boolean lists;

    Presence(DataType type, ScratchMemory memory, boolean lists) {
      super(type, memory);
      this.offsets = new Buffer(memory);
      this.lists = lists;
    }

    @Override
    public void begin(int rows) {
      super.begin(rows);
      if (lists) {
        offsets.segment().set(Raw.INT, 0, 0);
      }
    }

    @Override
    protected void grow(int kept, int rows) {
      if (lists) {
        offsets.grow(4L * (rows + 1L), kept == 0 ? 0 : 4L * (kept + 1L));
      }
    }

    void setEnd(int row, int end) {
      offsets.segment().set(Raw.INT, 4L * (row + 1L), end);
    }

    MemorySegment offsets() {
      return offsets.segment();
    }

    @Nullable MemorySegment bits() {
      return validity();
    }
  }
}
