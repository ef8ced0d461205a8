package dev.penstock.internal.variant;

import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.internal.variant.VariantValue.Entry;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Puts a value together from the columns it is stored in. `typed_value` is a column of the value's
/// type, with a column for each field of an object; `value` has the rest, encoded as a variant. A
/// row where both are null has no value.
///
/// **Threads.** One at a time.
final class Shredded {
  private final int valuePlace; // -1 for none
  private final int typedPlace; // -1 for none
  private final @Nullable DataType type; // of `typed_value`
  private final List<Part> parts;

  private @Nullable BytesView value;
  private @Nullable ColumnSlice typed;
  private @Nullable BytesView typedView;

  /// A field of an object, or the element of a list, by its place in the struct.
  private record Part(String name, int place, Shredded shredded) {}

  /// A field of an object that is put together. It is in `part` if it has columns of its own, else
  /// in `entry`; `id` is the number of its name.
  private record Item(String name, int id, @Nullable Part part, @Nullable Entry entry) {}

  private Shredded(int valuePlace, int typedPlace, @Nullable DataType type, List<Part> parts) {
    this.valuePlace = valuePlace;
    this.typedPlace = typedPlace;
    this.type = type;
    this.parts = parts;
  }

  /// Returns what puts together the values of a struct with `value` and `typed_value`; null if it
  /// has neither, or one has a type that no variant has.
  static @Nullable Shredded of(DataType stored) {
    if (!(stored instanceof DataType.Struct(List<Field> fields))) {
      return null;
    }
    int valuePlace = place(fields, "value");
    int typedPlace = place(fields, "typed_value");
    if (valuePlace >= 0 && !(fields.get(valuePlace).type() instanceof DataType.Binary)) {
      return null;
    }
    if (typedPlace < 0) {
      return valuePlace < 0 ? null : new Shredded(valuePlace, -1, null, List.of());
    }
    DataType type = fields.get(typedPlace).type();
    List<Part> parts = parts(type);
    return parts == null ? null : new Shredded(valuePlace, typedPlace, type, parts);
  }

  static int place(List<Field> fields, String name) {
    return fields.stream().map(Field::name).toList().indexOf(name);
  }

  private static @Nullable List<Part> parts(DataType type) {
    List<Field> fields =
        switch (type) {
          case DataType.Struct(List<Field> each) -> each;
          case DataType.List(DataType element, boolean _) ->
              List.of(new Field("element", element, false));
          default -> List.of();
        };
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Shredded part = of(fields.get(i).type());
      if (part == null) {
        return null;
      }
      parts.add(new Part(fields.get(i).name(), i, part));
    }
    return parts.isEmpty() && !isPrimitive(type) ? null : parts;
  }

  private static boolean isPrimitive(DataType type) {
    return switch (type) {
      case DataType.Bool _, DataType.Date _, DataType.Utf8 _, DataType.Binary _, DataType.Uuid _ ->
          true;
      case DataType.Int(int _, boolean signed) -> signed;
      case DataType.Floating(int bits) -> bits >= 32;
      case DataType.Decimal _ -> type.byteWidth() <= 16;
      case DataType.Time(TimeUnit unit, boolean utc) -> unit == TimeUnit.MICROS && !utc;
      case DataType.Timestamp(TimeUnit unit, boolean _) -> unit != TimeUnit.MILLIS;
      default -> false;
    };
  }

  /// Binds to the rows of a slice.
  void bind(ColumnSlice stored) {
    value = valuePlace < 0 ? null : new BytesView(stored.children().get(valuePlace));
    typed = typedPlace < 0 ? null : stored.children().get(typedPlace);
    typedView = typed == null ? null : new BytesView(typed);
    for (Part part : parts) {
      part.shredded.bind(Objects.requireNonNull(typed).children().get(part.place));
    }
  }

  private boolean isThere(int row) {
    return (value != null && value.isPresent(row))
        || (typedView != null && typedView.isPresent(row));
  }

  /// Appends the value of a row, checked.
  void write(int row, VariantNames names, VariantWriter out) throws VariantException {
    BytesView encoded = value != null && value.isPresent(row) ? value : null;
    if (typed == null || typedView == null || !typedView.isPresent(row)) {
      if (encoded == null) {
        out.primitive(VariantValue.NULL); // what a reader has to make of it, by the specification
      } else {
        encoded.find(row);
        out.value(encoded, names);
      }
    } else if (type instanceof DataType.Struct) {
      writeObject(row, encoded, names, out);
    } else if (encoded != null) {
      throw new VariantException("a value that is no object is stored twice.");
    } else if (type instanceof DataType.List) {
      writeArray(typed, row, names, out);
    } else {
      writePrimitive(typed, typedView, row, out);
    }
  }

  private void writeArray(ColumnSlice list, int row, VariantNames names, VariantWriter out)
      throws VariantException {
    MemorySegment offsets = Objects.requireNonNull(list.offsets());
    int first = offsets.getAtIndex(INT, row);
    int count = offsets.getAtIndex(INT, row + 1L) - first;
    int array = out.array(count);
    for (int i = 0; i < count; i++) {
      out.part(array, i, count);
      parts.getFirst().shredded.write(first + i, names, out);
    }
    out.part(array, count, count);
  }

  private void writeObject(
      int row, @Nullable BytesView encoded, VariantNames names, VariantWriter out)
      throws VariantException {
    List<Item> items = new ArrayList<>();
    for (Part part : parts) {
      if (part.shredded.isThere(row)) {
        items.add(new Item(part.name, names.number(part.name), part, null));
      }
    }
    if (encoded != null) {
      encoded.find(row);
      List<Entry> others = VariantWriter.read(encoded, names).fields();
      if (others == null) {
        throw new VariantException("what is left of an object is no object.");
      }
      others.forEach(each -> items.add(new Item(names.name(each.id()), each.id(), null, each)));
    }
    items.sort(Comparator.comparing(Item::name));
    int count = items.size();
    int object = out.object(items.stream().mapToInt(Item::id).toArray());
    for (int i = 0; i < count; i++) {
      Item item = items.get(i);
      if (i > 0 && items.get(i - 1).name.equals(item.name)) {
        throw new VariantException("an object has field '" + item.name + "' twice.");
      }
      out.part(object, i, count);
      if (item.part != null) {
        item.part.shredded.write(row, names, out);
      } else if (item.entry != null) {
        out.value(item.entry.value());
      }
    }
    out.part(object, count, count);
  }

  private void writePrimitive(ColumnSlice slice, BytesView view, int row, VariantWriter out) {
    MemorySegment values = slice.values();
    switch (slice.type()) {
      case DataType.Bool _ -> {
        boolean bit = (values.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
        out.primitive(bit ? VariantValue.TRUE : VariantValue.FALSE);
      }
      case DataType.Int(int bits, boolean _) ->
          out.wide(
              VariantValue.INT64,
              switch (bits) {
                case 8 -> values.get(ValueLayout.JAVA_BYTE, row);
                case 16 -> values.getAtIndex(SHORT, row);
                case 32 -> values.getAtIndex(INT, row);
                default -> values.getAtIndex(LONG, row);
              });
      case DataType.Floating(int bits) when bits == 32 -> {
        out.primitive(VariantValue.FLOAT32);
        out.int32(values.getAtIndex(INT, row));
      }
      case DataType.Date _ -> {
        out.primitive(VariantValue.DATE);
        out.int32(values.getAtIndex(INT, row));
      }
      case DataType.Floating _ -> out.wide(VariantValue.FLOAT64, values.getAtIndex(LONG, row));
      case DataType.Time _ -> out.wide(VariantValue.TIME, values.getAtIndex(LONG, row));
      case DataType.Timestamp(TimeUnit unit, boolean utc) -> {
        boolean micros = unit == TimeUnit.MICROS;
        out.wide(
            utc
                ? micros ? VariantValue.TIMESTAMP : VariantValue.TIMESTAMP_NANOS
                : micros ? VariantValue.TIMESTAMP_NTZ : VariantValue.TIMESTAMP_NTZ_NANOS,
            values.getAtIndex(LONG, row));
      }
      case DataType.Decimal(int _, int scale) -> {
        int width = slice.type().byteWidth();
        out.primitive(width == 8 ? VariantValue.DECIMAL8 : VariantValue.DECIMAL16);
        out.int8(scale);
        out.copy(values, (long) row * width, width);
      }
      case DataType.Uuid _ -> {
        out.primitive(VariantValue.UUID);
        out.copy(values, row * 16L, 16);
      }
      default -> {
        view.find(row);
        out.primitive(
            slice.type() instanceof DataType.Utf8 ? VariantValue.STRING : VariantValue.BINARY);
        out.int32(view.length());
        out.copy(view.segment(), view.start(), view.length());
      }
    }
  }
}
