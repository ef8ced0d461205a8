package dev.penstock.internal.boxing;

import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Makes Java objects of the values of a column, for lists, arrays of objects and values nested in
/// them. There is one for each type; makers of nested types contain others.
///
/// **Threads.** One at a time.
public abstract class ObjectMaker {
  /// The error of a value that cannot become an object, because the file is faulty.
  public static final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String kind;

    /// @param kind what should have been read, for example `text`
    /// @param sentence what was found, and what to do, without the final full stop
    BadValueException(String kind, String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
      this.kind = kind;
    }

    public IOException in(String column, RowOrigin origin) {
      String found = "Corrupt " + kind + " in column '" + column + "': " + getMessage();
      String place = "[" + origin.file() + ", " + origin.row() + "]";
      return new IOException(found + ", or leave it out. " + place, this);
    }
  }

  public static ObjectMaker of(DataType type) {
    return switch (type) {
      case DataType.Utf8 _, DataType.Binary _ -> new TextObjects(type);
      case DataType.Variant _ -> new VariantObjects();
      case DataType.List(DataType element, boolean _) -> new ListObjects(of(element));
      case DataType.Struct struct -> new StructObjects(struct);
      case DataType.Map map -> new ListObjects(new EntryObjects(map));
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Decimal _,
          DataType.FixedBinary _,
          DataType.Uuid _,
          DataType.Interval _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          new FixedObjects(type);
      case DataType.Null _, DataType.Unsupported _ ->
          throw new IllegalStateException("Cannot read " + type);
    };
  }

  /// Returns what makes texts that only [LateStrings] reads.
  public static ObjectMaker ofLateTexts() {
    return new LateTexts();
  }

  /// Binds to the values of a slice, which must stay valid while objects are made.
  public abstract void bind(ColumnSlice slice);

  /* Sizes on the heap are estimated as in HotSpot with compressed references: 12 bytes for a
   * header, 16 for that of an array, rounded up to 8. They need not be exact: they limit how many
   * batches of large texts are ahead. */
  public static final int REFERENCE_BYTES = 4;

  static final int ARRAY_BYTES = 16;

  /// Makes the objects of some rows, null for nulls, `objects[to]` of the row `from`. Returns about
  /// how many bytes the new ones take on the heap.
  ///
  /// @throws BadValueException if a value cannot become an object
  public abstract long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException;

  /// Makes the objects of a column's rows, as many as there is room for; `origin` says where a row
  /// was read that cannot become one.
  public static void makeAll(
      ColumnSlice column, String name, IntFunction<RowOrigin> origin, @Nullable Object[] objects)
      throws IOException {
    ObjectMaker maker = of(column.type());
    maker.bind(column);
    for (int row = 0; row < objects.length; row++) {
      try {
        maker.make(row, 1, objects, row);
      } catch (BadValueException e) {
        throw e.in(name, origin.apply(row));
      }
    }
  }

  /// Returns the decimal of `width` bytes, little-endian, at a byte of the values.
  public static BigDecimal decimal(MemorySegment values, long offset, int width, int scale) {
    if (width == 8) {
      return BigDecimal.valueOf(values.get(ValueLayout.JAVA_LONG_UNALIGNED, offset), scale);
    }
    byte[] bytes = new byte[width]; // big-endian
    for (int i = 0; i < width; i++) {
      bytes[width - 1 - i] = values.get(ValueLayout.JAVA_BYTE, offset + i);
    }
    return new BigDecimal(new BigInteger(bytes), scale);
  }

  public static boolean isPresent(@Nullable MemorySegment validity, int row) {
    return validity == null || Validity.isPresent(validity, row);
  }

  /// Makes lists; a map is a list of its entries.
  private static final class ListObjects extends ObjectMaker {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private static final int LIST_BYTES = 48; // a list and its unmodifiable wrapper

    private final ObjectMaker element;
    private @Nullable MemorySegment validity;
    private MemorySegment offsets = MemorySegment.NULL;
    private long made; // bytes, in one call

    ListObjects(ObjectMaker element) {
      this.element = element;
    }

    @Override
    public void bind(ColumnSlice slice) {
      validity = slice.validity();
      offsets = Objects.requireNonNull(slice.offsets());
      element.bind(slice.children().getFirst());
    }

    @Override
    public long make(int from, int count, @Nullable Object[] objects, int to)
        throws BadValueException {
      made = 0;
      for (int i = 0; i < count; i++) {
        objects[to + i] = isPresent(validity, from + i) ? list(from + i) : null;
      }
      return made;
    }

    private Object list(int row) throws BadValueException {
      int start = offsets.getAtIndex(INT, row);
      @Nullable Object[] elements = new Object[offsets.getAtIndex(INT, row + 1) - start];
      made += element.make(start, elements.length, elements, 0);
      made += LIST_BYTES + ARRAY_BYTES + (long) elements.length * REFERENCE_BYTES;
      return Collections.<@Nullable Object>unmodifiableList(
          Arrays.<@Nullable Object>asList(elements));
    }
  }

  /// Makes the entries of maps, which are never null.
  private static final class EntryObjects extends ObjectMaker {
    private static final int ENTRY_BYTES = 24;

    private final ObjectMaker key;
    private final ObjectMaker value;

    EntryObjects(DataType.Map type) {
      this.key = of(type.key());
      this.value = of(type.value());
    }

    @Override
    public void bind(ColumnSlice slice) {
      key.bind(slice.children().get(0));
      value.bind(slice.children().get(1));
    }

    @Override
    public long make(int from, int count, @Nullable Object[] objects, int to)
        throws BadValueException {
      @Nullable Object[] keys = new Object[count];
      @Nullable Object[] values = new Object[count];
      long made = key.make(from, count, keys, 0) + value.make(from, count, values, 0);
      for (int i = 0; i < count; i++) {
        objects[to + i] =
            new SimpleImmutableEntry<@Nullable Object, @Nullable Object>(keys[i], values[i]);
      }
      return made + (long) count * ENTRY_BYTES;
    }
  }

  /// Makes structs: maps of field names to values, in the order of the fields.
  private static final class StructObjects extends ObjectMaker {
    private static final int MAP_BYTES = 56 + 32; // a map and its unmodifiable wrapper
    private static final int FIELD_BYTES = 40 + 8; // an entry, and its place in the table

    private final List<String> names;
    private final List<ObjectMaker> fields;
    private @Nullable MemorySegment validity;
    private long made; // bytes, in one call

    StructObjects(DataType.Struct type) {
      this.names = type.fields().stream().map(Field::name).toList();
      this.fields = type.fields().stream().map(field -> of(field.type())).toList();
    }

    @Override
    public void bind(ColumnSlice slice) {
      validity = slice.validity();
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).bind(slice.children().get(i));
      }
    }

    @Override
    public long make(int from, int count, @Nullable Object[] objects, int to)
        throws BadValueException {
      @Nullable Object[] value = new Object[1];
      made = 0;
      for (int i = 0; i < count; i++) {
        objects[to + i] = isPresent(validity, from + i) ? struct(from + i, value) : null;
      }
      return made;
    }

    private Object struct(int row, @Nullable Object[] value) throws BadValueException {
      Map<String, @Nullable Object> struct = LinkedHashMap.newLinkedHashMap(names.size());
      for (int i = 0; i < names.size(); i++) {
        made += fields.get(i).make(row, 1, value, 0);
        struct.put(names.get(i), value[0]);
      }
      made += MAP_BYTES + (long) names.size() * FIELD_BYTES;
      return Collections.unmodifiableMap(struct);
    }
  }
}
