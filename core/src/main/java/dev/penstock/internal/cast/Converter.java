package dev.penstock.internal.cast;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.table.Names;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Turns slices of one type into slices of another. Each column has its own; one for a nested type
/// contains others.
///
/// **Ownership.** The returned slice is valid as long as the input slice, and until the next call.
///
/// **Threads.** One at a time.
public abstract class Converter {
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT = Raw.SHORT;
  static final ValueLayout.OfInt INT = Raw.INT;
  static final ValueLayout.OfLong LONG = Raw.LONG;

  /// The options and memory of converters; `lossy` tells whether values of a column, by its dotted
  /// name, may be changed.
  public record Context(Names names, Predicate<String> lossy, ScratchMemory memory) {}

  /// Returns a converter, or null if slices can be used as they are. There must be a cast between
  /// the types.
  ///
  /// @param path the dotted name of the column
  public static @Nullable Converter of(String path, DataType from, DataType to, Context context) {
    return switch (to) {
      case DataType.List(DataType element, boolean _)
          when from instanceof DataType.List(DataType stored, boolean _) ->
          ListConverter.of(to, of(path, stored, element, context));
      case DataType.Map map when from instanceof DataType.Map stored ->
          ListConverter.of(to, of(path, stored.entry(), map.entry(), context));
      case DataType.Struct(java.util.List<Field> parts)
          when from instanceof DataType.Struct(java.util.List<Field> stored) ->
          StructConverter.of(path, stored, to, parts, context);
      default -> ofValue(path, from, to, context);
    };
  }

  /// Returns a converter of a field of variants.
  ///
  /// @param path the names of the field with dots between them
  public static Converter ofField(String column, String path, DataType to, Context context) {
    return new VariantConverter(path, to, context.lossy().test(column), context.memory());
  }

  /// Returns a converter of a field of the structs in lists, to lists of its values.
  ///
  /// @param path the dotted name of the column
  /// @param field the path of the field in the structs, see [Names#listField]
  public static Converter ofListField(
      String path, DataType from, String field, DataType to, Context context) {
    return ListFieldConverter.of(path, (DataType.List) from, field, (DataType.List) to, context);
  }

  private static @Nullable Converter ofValue(
      String path, DataType from, DataType to, Context context) {
    if (from.equals(to)) {
      return null;
    }
    if (from instanceof DataType.Null) {
      return new Nulls(to, context.memory());
    }
    if (from.isBytes() && to.isBytes()) {
      return new Retyped(to);
    }
    boolean lossy = context.lossy().test(path);
    if (from instanceof DataType.Variant) {
      return new VariantConverter("", to, lossy, context.memory());
    }
    if (from instanceof DataType.Floating floating) {
      return new FloatConverter(floating.bits(), to, lossy, context.memory());
    }
    boolean wide =
        (from instanceof DataType.Decimal && from.byteWidth() > 8)
            || (to instanceof DataType.Decimal && to.byteWidth() > 8)
            || (from instanceof DataType.Decimal && to instanceof DataType.Floating);
    return wide
        ? new DecimalConverter(from, to, lossy, context.memory())
        : new IntConverter(from, to, lossy, context.memory());
  }

  /// Converts the values `[from, end)` of a slice, to one with the same rows. The values of nulls
  /// are undefined, as [ColumnSlice] allows.
  ///
  /// @throws LostValueException if a value that is not null does not fit the wanted type
  public abstract ColumnSlice convert(ColumnSlice slice, int from, int end)
      throws LostValueException;

  static boolean isPresent(ColumnSlice slice, int row) {
    MemorySegment validity = slice.validity();
    return validity == null || (validity.get(BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  /// Values that are all null, turned into nulls of any type.
  private static final class Nulls extends Converter {
    private final ConstantColumn nulls;

    Nulls(DataType type, ScratchMemory memory) {
      this.nulls = ConstantColumn.of(type, null, memory);
    }

    @Override
    public ColumnSlice convert(ColumnSlice slice, int from, int end) {
      return nulls.slice(slice.rowCount());
    }
  }

  /// Text as bytes, or bytes as text; the text is checked when it becomes an object.
  private static final class Retyped extends Converter {
    private final DataType type;

    Retyped(DataType type) {
      this.type = type;
    }

    @Override
    public ColumnSlice convert(ColumnSlice slice, int from, int end) {
      return new ColumnSlice(
          type,
          slice.rowCount(),
          slice.nullCount(),
          slice.validity(),
          slice.values(),
          slice.offsets(),
          slice.codes(),
          slice.dictionary(),
          slice.children());
    }
  }

  /// Converts the elements of lists, and the entries of maps.
  private static final class ListConverter extends Converter {
    private final DataType type;
    private final Converter element;

    private ListConverter(DataType type, Converter element) {
      this.type = type;
      this.element = element;
    }

    static @Nullable Converter of(DataType type, @Nullable Converter element) {
      return element == null ? null : new ListConverter(type, element);
    }

    @Override
    public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
      MemorySegment offsets = Objects.requireNonNull(slice.offsets());
      // Elements before the first list and after the last may be anything.
      ColumnSlice elements =
          element.convert(
              slice.children().getFirst(), offsets.get(INT, from * 4L), offsets.get(INT, end * 4L));
      return ColumnSlice.list(
          type, slice.rowCount(), slice.nullCount(), slice.validity(), offsets, elements);
    }
  }

  /// Converts, reorders and adds parts of structs; a part that the file lacks is null.
  private static final class StructConverter extends Converter {
    private final DataType type;
    private final List<Part> parts;

    /// A part of the table's struct.
    ///
    /// @param source its place in the file's struct, or -1
    private record Part(
        int source, @Nullable Converter converter, @Nullable ConstantColumn missing) {}

    private StructConverter(DataType type, List<Part> parts) {
      this.type = type;
      this.parts = parts;
    }

    static @Nullable Converter of(
        String path, List<Field> stored, DataType type, List<Field> wanted, Context context) {
      List<Part> parts = new ArrayList<>();
      boolean same = stored.size() == wanted.size();
      for (int i = 0; i < wanted.size(); i++) {
        Field part = wanted.get(i);
        int source = context.names().indexOf(stored, part.name());
        if (source < 0) {
          parts.add(new Part(-1, null, ConstantColumn.of(part.type(), null, context.memory())));
          same = false;
        } else {
          Converter converter =
              of(path + "." + part.name(), stored.get(source).type(), part.type(), context);
          parts.add(new Part(source, converter, null));
          same &= source == i && converter == null;
        }
      }
      return same ? null : new StructConverter(type, parts);
    }

    @Override
    public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
      List<ColumnSlice> converted = new ArrayList<>(parts.size());
      for (Part part : parts) {
        if (part.missing != null) {
          converted.add(part.missing.slice(slice.rowCount()));
          continue;
        }
        ColumnSlice child = slice.children().get(part.source);
        Converter converter = part.converter;
        converted.add(converter == null ? child : converter.convert(child, from, end));
      }
      return ColumnSlice.struct(
          type, slice.rowCount(), slice.nullCount(), slice.validity(), converted);
    }
  }

  /// A value that does not fit the wanted type.
  public static final class LostValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int index;

    /// @param index the place of the value in the converted slice
    /// @param sentence the value and what is wrong with it, without the final full stop
    LostValueException(int index, String sentence) {
      super(sentence);
      this.index = index;
    }

    public int index() {
      return index;
    }
  }
}
