package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.TestMemory.RefusedException;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Rows as plain objects, so that what a reader gives can be compared with what was written.
///
/// Booleans are `Boolean`; integers, dates, times, timestamps and 16-bit floats (their bits) are
/// `Long`; floats `Float` and `Double`; decimals the unscaled `BigInteger`; text `String`; bytes a
/// `String` of hexadecimal digits; lists `List`; structs a `Map` by name; maps a `List` of lists of
/// key and value.
public final class TestRows {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private TestRows() {}

  /// Reads some rows of some columns, column by column.
  ///
  /// @param maxRows gives the size of each slice
  /// @return by column, the values in row order
  public static List<List<@Nullable Object>> read(
      FileFormat format,
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      TestMemory memory,
      IntSupplier maxRows)
      throws IOException {
    List<List<@Nullable Object>> values = new ArrayList<>();
    columns.fields().forEach(_ -> values.add(new ArrayList<>()));
    try (SliceReader reader =
        format.openReader(file, metadata, columns, firstRow, rowCount, memory)) {
      while (true) {
        int most = maxRows.getAsInt();
        int count = reader.next(most);
        if (count == 0) {
          break;
        }
        if (count > most) {
          throw new AssertionError("Asked for " + most + " rows but got " + count);
        }
        for (int c = 0; c < columns.size(); c++) {
          append(reader.column(c), count, values.get(c));
        }
      }
    }
    if (memory.takenBytes() != 0) {
      throw new AssertionError("Not given back: " + memory.takenBytes() + " bytes");
    }
    return values;
  }

  /// Asserts that a reader of good rows lets a refusal of its memory through, wherever it takes
  /// some, and gives the rest back.
  ///
  /// @param mostTakes how many takes are refused, one after another
  public static void requireRefusals(
      FileFormat format,
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long rowCount,
      TestMemory enough,
      int mostTakes) {
    boolean isRefused = true;
    for (int takes = 0; isRefused && takes < mostTakes; takes++) {
      TestMemory memory = enough.refusingAfter(takes);
      try {
        read(format, file, metadata, columns, 0, rowCount, memory, () -> 1000);
        isRefused = false;
      } catch (RefusedException e) {
        assertThat(memory.takenBytes()).as("after %s takes", takes).isZero();
      } catch (IOException e) {
        throw new AssertionError("Good rows were refused after " + takes + " takes", e);
      }
    }
  }

  /// Asserts that some rows of some columns are those of the table that was written, in slices of
  /// random sizes.
  public static void requireSame(
      Random random,
      FileFormat format,
      StorageFile file,
      FileMetadata metadata,
      Table table,
      Schema columns,
      int first,
      int count)
      throws IOException {
    int most = 1 + random.nextInt(1 + random.nextInt(4000));
    boolean steady = random.nextBoolean();
    List<List<@Nullable Object>> values =
        read(
            format,
            file,
            metadata,
            columns,
            first,
            count,
            new TestMemory(64 << 20),
            () -> steady ? most : 1 + random.nextInt(most));
    for (int c = 0; c < columns.size(); c++) {
      Field column = columns.fields().get(c);
      assertThat(values.get(c))
          .as("%s, rows [%s, %s)", column, first, first + count)
          .isEqualTo(table.values(column.name()).subList(first, first + count));
    }
  }

  /// Reads some of the rows of some columns and skips the others.
  ///
  /// @param wanted by row whether to read it
  /// @param maxRows gives the size of each slice
  /// @return by column, the values of the wanted rows in row order
  public static List<List<@Nullable Object>> readSome(
      FileFormat format,
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      boolean[] wanted,
      TestMemory memory,
      IntSupplier maxRows)
      throws IOException {
    List<List<@Nullable Object>> values = new ArrayList<>();
    columns.fields().forEach(_ -> values.add(new ArrayList<>()));
    try (SliceReader reader =
        format.openReader(file, metadata, columns, 0, wanted.length, memory)) {
      for (int row = 0; row < wanted.length; ) {
        int end = row + 1;
        while (end < wanted.length && wanted[end] == wanted[row]) {
          end++;
        }
        if (!wanted[row]) {
          reader.skip(end - row);
          row = end;
        }
        while (row < end) {
          int count = reader.next(Math.min(maxRows.getAsInt(), end - row));
          for (int c = 0; c < columns.size(); c++) {
            append(reader.column(c), count, values.get(c));
          }
          row += count;
        }
      }
      if (reader.next(1) != 0) {
        throw new AssertionError("There are rows behind the last one");
      }
    }
    if (memory.takenBytes() != 0) {
      throw new AssertionError("Not given back: " + memory.takenBytes() + " bytes");
    }
    return values;
  }

  /// Appends all rows of a slice, after checking that the slice does not contradict itself.
  public static void append(ColumnSlice slice, int rows, List<@Nullable Object> values) {
    if (slice.rowCount() != rows) {
      throw new AssertionError("The slice has " + slice.rowCount() + " rows, not " + rows);
    }
    if ((slice.nullCount() == 0) != (slice.validity() == null)) {
      throw new AssertionError(slice.nullCount() + " nulls but validity " + slice.validity());
    }
    checkParts(slice);
    int nulls = 0;
    for (int i = 0; i < rows; i++) {
      checkCode(slice, i);
      boolean present = !isNull(slice, i);
      nulls += present ? 0 : 1;
      values.add(present ? value(slice, i) : null);
    }
    if (nulls != slice.nullCount()) {
      throw new AssertionError("The slice says " + slice.nullCount() + " nulls, has " + nulls);
    }
  }

  private static void checkParts(ColumnSlice slice) {
    int children =
        switch (slice.type()) {
          case DataType.Struct(List<?> fields) -> fields.size();
          case DataType.List _, DataType.Map _ -> 1;
          default -> 0;
        };
    if (slice.children().size() != children) {
      throw new AssertionError(slice.children().size() + " children of " + slice.type());
    }
    for (ColumnSlice child : slice.children()) {
      int least = slice.rowCount();
      if (slice.offsets() != null) {
        least = checkOffsets(slice, slice.offsets());
      }
      if (child.rowCount() < least) {
        throw new AssertionError(child.rowCount() + " rows in a part but " + least + " needed");
      }
      append(child, child.rowCount(), new ArrayList<>());
    }
  }

  /// Returns the last offset.
  private static int checkOffsets(ColumnSlice slice, MemorySegment offsets) {
    for (int row = 0; row < slice.rowCount(); row++) {
      int count = offset(offsets, row + 1) - offset(offsets, row);
      if (count < 0 || (count > 0 && isNull(slice, row))) {
        throw new AssertionError("Row " + row + " of a list has " + count + " elements");
      }
    }
    return offset(offsets, slice.rowCount());
  }

  private static int offset(MemorySegment offsets, long index) {
    return offsets.get(INT, index * 4);
  }

  /// Returns whether a row is null.
  public static boolean isNull(ColumnSlice slice, int row) {
    return slice.validity() != null && !bit(slice.validity(), row);
  }

  private static void checkCode(ColumnSlice slice, int row) {
    MemorySegment codes = slice.codes();
    if (codes != null) {
      int code = codes.get(INT, row * 4L);
      int size = Objects.requireNonNull(slice.dictionary()).size();
      if (code < 0 || (code >= size && !(code == 0 && size == 0))) {
        throw new AssertionError("Code " + code + " in a dictionary of " + size);
      }
    }
  }

  /// Returns a value that is not null.
  public static Object value(ColumnSlice slice, int row) {
    MemorySegment values = slice.values();
    return switch (slice.type()) {
      case DataType.Bool _ -> bit(values, row);
      case DataType.Int(int bits, boolean signed) -> integer(values, row, bits, signed);
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> (Object) (values.get(SHORT, row * 2L) & 0xffffL);
            case 32 -> (Object) Float.intBitsToFloat(values.get(INT, row * 4L));
            default -> (Object) Double.longBitsToDouble(values.get(LONG, row * 8L));
          };
      case DataType.Decimal decimal -> unscaled(values, row, decimal.byteWidth());
      case DataType.Utf8 _ -> new String(bytes(slice, row), StandardCharsets.UTF_8);
      case DataType.Binary _, DataType.Variant _ -> HexFormat.of().formatHex(bytes(slice, row));
      case DataType.FixedBinary(int width) -> fixed(values, row, width);
      case DataType.Uuid _ -> fixed(values, row, 16);
      case DataType.Interval _ -> fixed(values, row, 12);
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          integer(values, row, 8 * slice.type().byteWidth(), true);
      case DataType.List _ -> elements(slice, row);
      case DataType.Map _ ->
          elements(slice, row).stream()
              .map(entry ->
                  (Object) new ArrayList<>(((Map<?, ?>) Objects.requireNonNull(entry)).values()))
              .toList();
      case DataType.Struct(List<Field> fields) -> {
        Map<String, @Nullable Object> struct = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
          struct.put(fields.get(i).name(), nullable(slice.children().get(i), row));
        }
        yield struct;
      }
      case DataType.Null _, DataType.Unsupported _ ->
          throw new AssertionError("No value of " + slice.type());
    };
  }

  private static List<@Nullable Object> elements(ColumnSlice slice, int row) {
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = offset(offsets, row); i < offset(offsets, row + 1L); i++) {
      elements.add(nullable(slice.children().getFirst(), i));
    }
    return elements;
  }

  private static @Nullable Object nullable(ColumnSlice slice, int row) {
    return isNull(slice, row) ? null : value(slice, row);
  }

  private static boolean bit(MemorySegment bits, int row) {
    return (bits.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) != 0;
  }

  private static Object integer(MemorySegment values, int row, int bits, boolean signed) {
    return switch (bits) {
      case 8 -> {
        byte value = values.get(ValueLayout.JAVA_BYTE, row);
        yield signed ? (long) value : value & 0xffL;
      }
      case 16 -> {
        short value = values.get(SHORT, row * 2L);
        yield signed ? (long) value : value & 0xffffL;
      }
      case 32 -> {
        int value = values.get(INT, row * 4L);
        yield signed ? (long) value : value & 0xffffffffL;
      }
      default -> values.get(LONG, row * 8L);
    };
  }

  private static BigInteger unscaled(MemorySegment values, int row, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[width - 1 - i] = values.get(ValueLayout.JAVA_BYTE, (long) row * width + i);
    }
    return new BigInteger(bytes);
  }

  private static String fixed(MemorySegment values, int row, int width) {
    byte[] bytes = values.asSlice((long) row * width, width).toArray(ValueLayout.JAVA_BYTE);
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(ColumnSlice slice, int row) {
    MemorySegment codes = slice.codes();
    if (codes == null) {
      return bytes(slice.values(), Objects.requireNonNull(slice.offsets()), row);
    }
    TextDictionary dictionary = Objects.requireNonNull(slice.dictionary());
    return bytes(dictionary.values(), dictionary.offsets(), codes.get(INT, row * 4L));
  }

  private static byte[] bytes(MemorySegment values, MemorySegment offsets, long index) {
    int start = offsets.get(INT, index * 4);
    return values
        .asSlice(start, offsets.get(INT, index * 4 + 4) - start)
        .toArray(ValueLayout.JAVA_BYTE);
  }
}
