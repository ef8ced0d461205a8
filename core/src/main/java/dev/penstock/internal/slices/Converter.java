package dev.penstock.internal.slices;

import dev.penstock.internal.table.Names;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Turns slices of one type into slices of another. There is one for each column; those of nested
/// types have others inside.
///
/// **Ownership.** What it returns is valid as long as what it was given, and until its next call.
///
/// **Threads.** One at a time.
abstract class Converter {
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// What converters are made with.
  ///
  /// @param names how parts of structs are found
  /// @param lossy whether values of a column, by its dotted name, may be changed
  /// @param memory where working memory is from
  record Context(Names names, Predicate<String> lossy, ScratchMemory memory) {}

  /// Returns a converter, or null where slices can be used as they are.
  ///
  /// @param path the dotted name of the column
  /// @param from the type in the file
  /// @param to the type in the table, which the file's was found to be convertible to
  /// @param context names, casts and memory
  static @Nullable Converter of(String path, DataType from, DataType to, Context context) {
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

  private static @Nullable Converter ofValue(
      String path, DataType from, DataType to, Context context) {
    if (from.equals(to)) {
      return null;
    }
    if (from instanceof DataType.Null) {
      return new Nulls(to, context.memory());
    }
    if (from.isVariableWidth() && to.isVariableWidth()) {
      return new Retyped(to);
    }
    boolean lossy = context.lossy().test(path);
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

  /// Converts some values of a slice; null ones become anything, as the contract of [ColumnSlice]
  /// has it.
  ///
  /// @param slice the values
  /// @param from the first that counts
  /// @param end the one behind the last that counts
  /// @return a slice with the same rows, of which those that count are converted
  /// @throws LostValueException if the wanted type lacks a value that is not null
  abstract ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException;

  /// Gives all working memory back.
  abstract void close();

  static boolean isPresent(ColumnSlice slice, int row) {
    MemorySegment validity = slice.validity();
    return validity == null || (validity.get(BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  /// Values that are all null, which are of any type.
  private static final class Nulls extends Converter {
    private final ConstantColumn nulls;

    Nulls(DataType type, ScratchMemory memory) {
      this.nulls = new ConstantColumn(type, null, memory);
    }

    @Override
    ColumnSlice convert(ColumnSlice slice, int from, int end) {
      return nulls.slice(slice.rowCount());
    }

    @Override
    void close() {
      nulls.close();
    }
  }

  /// Text as bytes, or bytes as text, which is checked where it becomes an object.
  private static final class Retyped extends Converter {
    private final DataType type;

    Retyped(DataType type) {
      this.type = type;
    }

    @Override
    ColumnSlice convert(ColumnSlice slice, int from, int end) {
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

    @Override
    void close() {}
  }
}
