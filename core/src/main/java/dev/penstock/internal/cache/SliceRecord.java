package dev.penstock.internal.cache;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The bytes of some columns: a directory, then each buffer as it lies in memory.
///
/// The directory has, for each column and its parts, the number of rows and of nulls, and where the
/// buffers are. Its numbers are big-endian; buffers are as in memory, little-endian.
final class SliceRecord {
  static final int ALIGNMENT = 64; // where buffers start, so that they are aligned in mapped memory
  private static final MemorySegment NO_OFFSETS = Arena.global().allocate(4);

  private static final int VALIDITY = 1;
  private static final int VALUES = 2;
  private static final int OFFSETS = 4;
  private static final int CODES = 8;

  private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
  private final List<MemorySegment> buffers = new ArrayList<>();
  private final int[] starts; // of the columns in the directory
  private long bytes; // of the buffers

  private SliceRecord(int columns) {
    this.starts = new int[columns];
    for (int i = 0; i <= columns; i++) { // written when they are known
      put(0);
    }
  }

  private void put(int number) {
    directory.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(0, number).array());
  }

  private void put(long number) {
    directory.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(0, number).array());
  }

  /// Returns whether a column can be written as it is: its offsets begin with 0, and lists have
  /// exactly their elements.
  static boolean isCompact(ColumnSlice slice) {
    int rows = slice.rowCount();
    MemorySegment offsets = slice.offsets();
    if (offsets != null && rows > 0 && offset(offsets, 0) != 0) {
      return false;
    }
    for (ColumnSlice child : slice.children()) {
      int wanted = offsets == null ? rows : rows == 0 ? 0 : offset(offsets, rows);
      if (child.rowCount() != wanted || !isCompact(child)) {
        return false;
      }
    }
    return true;
  }

  /// Lays out compact columns; `dictionaries` returns the record of a dictionary.
  static SliceRecord of(List<ColumnSlice> columns, ToIntFunction<TextDictionary> dictionaries) {
    SliceRecord record = new SliceRecord(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      record.starts[i] = record.directory.size();
      record.add(columns.get(i), dictionaries);
    }
    return record;
  }

  static SliceRecord of(TextDictionary dictionary) {
    SliceRecord record = new SliceRecord(0);
    record.put(dictionary.size());
    MemorySegment offsets = dictionary.offsets();
    int last = dictionary.size() == 0 ? 0 : offset(offsets, dictionary.size());
    record.add(dictionary.values(), last);
    record.addOffsets(offsets, dictionary.size());
    return record;
  }

  private static int offset(MemorySegment offsets, long index) {
    return offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
  }

  private void add(ColumnSlice slice, ToIntFunction<TextDictionary> dictionaries) {
    int rows = slice.rowCount();
    MemorySegment validity = slice.validity();
    MemorySegment offsets = slice.offsets();
    MemorySegment codes = slice.codes();
    boolean isNested = slice.type().isNested();
    boolean hasValues = !isNested && codes == null;
    put(rows);
    put(slice.nullCount());
    put(
        (validity == null ? 0 : VALIDITY)
            | (hasValues ? VALUES : 0)
            | (offsets == null ? 0 : OFFSETS)
            | (codes == null ? 0 : CODES));
    if (validity != null) {
      add(validity, (rows + 7L) / 8);
    }
    if (hasValues) {
      add(slice.values(), valueBytes(slice));
    }
    if (offsets != null) {
      addOffsets(offsets, rows);
    }
    if (codes != null) {
      add(codes, rows * 4L);
      put(dictionaries.applyAsInt(Objects.requireNonNull(slice.dictionary())));
    }
    for (ColumnSlice child : slice.children()) {
      add(child, dictionaries);
    }
  }

  /// Adds offsets: one more than there are values, so at least one.
  private void addOffsets(MemorySegment offsets, int count) {
    add(count == 0 ? NO_OFFSETS : offsets, (count + 1L) * 4);
  }

  private static long valueBytes(ColumnSlice slice) {
    int rows = slice.rowCount();
    MemorySegment offsets = slice.offsets();
    if (offsets != null) {
      return rows == 0 ? 0 : offset(offsets, rows);
    }
    return slice.type() instanceof DataType.Bool
        ? (rows + 7L) / 8
        : (long) rows * slice.type().byteWidth();
  }

  private void add(MemorySegment buffer, long length) {
    put(bytes);
    put(length);
    buffers.add(length == 0 ? MemorySegment.NULL : buffer.asSlice(0, length));
    bytes += padded(length);
  }

  /// Returns a length, rounded up so that the next buffer is aligned.
  static long padded(long length) {
    return Math.ceilDiv(length, (long) ALIGNMENT) * ALIGNMENT;
  }

  /// Returns the directory, which begins with its length and where the columns are in it.
  byte[] directory() {
    byte[] all = directory.toByteArray();
    ByteBuffer begin = ByteBuffer.wrap(all).putInt(all.length);
    for (int start : starts) {
      begin.putInt(start);
    }
    return all;
  }

  /// Returns the buffers, each to be padded after it is written.
  List<MemorySegment> buffers() {
    return buffers;
  }

  long bytes() {
    return padded(directory.size()) + bytes;
  }

  /// Reads records whose checksum was right.
  static final class Reading {
    private static final ValueLayout.OfInt INT =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment record;
    private final IntFunction<TextDictionary> dictionaries;
    private final long base;
    private long at = 4;

    Reading(MemorySegment record, IntFunction<TextDictionary> dictionaries) {
      this.record = record;
      this.dictionaries = dictionaries;
      this.base = padded(record.get(INT, 0));
    }

    private int number() {
      int value = record.get(INT, at);
      at += 4;
      return value;
    }

    private MemorySegment buffer(long least) {
      long offset = record.get(LONG, at);
      long length = record.get(LONG, at + 8);
      at += 16;
      if (length < least) {
        throw new IndexOutOfBoundsException("a buffer is too short");
      }
      // With the padding: kernels read whole words.
      return record.asSlice(base + offset, padded(length));
    }

    TextDictionary dictionary() {
      int size = number();
      MemorySegment values = buffer(0);
      MemorySegment offsets = offsets(size);
      requireRising(offsets, size, values.byteSize());
      return new TextDictionary(size, values, offsets);
    }

    /// Reads a column by its place in the record.
    ColumnSlice column(int index, DataType type) {
      at = record.get(INT, 4 + 4L * index);
      return column(type);
    }

    private ColumnSlice column(DataType type) {
      int rows = number();
      int nulls = number();
      int flags = number();
      MemorySegment validity = (flags & VALIDITY) == 0 ? null : buffer((rows + 7L) / 8);
      return switch (type) {
        case DataType.List(DataType element, boolean _) ->
            list(type, element, rows, nulls, validity);
        case DataType.Map map -> list(type, map.entry(), rows, nulls, validity);
        case DataType.Struct(List<Field> fields) -> {
          List<ColumnSlice> parts = new ArrayList<>();
          for (Field field : fields) {
            parts.add(column(field.type()));
          }
          yield ColumnSlice.struct(type, rows, nulls, validity, parts);
        }
        case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ when (flags & CODES) != 0 -> {
          MemorySegment codes = buffer(rows * 4L);
          yield ColumnSlice.coded(type, rows, nulls, validity, codes, dictionaries.apply(number()));
        }
        case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ -> {
          MemorySegment values = buffer(0);
          MemorySegment offsets = offsets(rows);
          requireRising(offsets, rows, values.byteSize());
          yield ColumnSlice.variable(type, rows, nulls, validity, values, offsets);
        }
        case DataType.Bool _ ->
            ColumnSlice.fixed(type, rows, nulls, validity, buffer((rows + 7L) / 8));
        default ->
            ColumnSlice.fixed(type, rows, nulls, validity, buffer((long) rows * type.byteWidth()));
      };
    }

    private MemorySegment offsets(int rows) {
      return buffer((rows + 1L) * 4);
    }

    private ColumnSlice list(
        DataType type, DataType element, int rows, int nulls, @Nullable MemorySegment validity) {
      MemorySegment offsets = offsets(rows);
      ColumnSlice elements = column(element);
      requireRising(offsets, rows, elements.rowCount());
      return ColumnSlice.list(type, rows, nulls, validity, offsets, elements);
    }

    private static void requireRising(MemorySegment offsets, int count, long most) {
      // Kernels read by address, so offsets are checked although the checksum was right.
      int before = 0;
      for (int i = 0; i <= count && count > 0; i++) {
        int next = offset(offsets, i);
        if (next < before) {
          throw new IndexOutOfBoundsException("offsets fall");
        }
        before = next;
      }
      if (before > most) {
        throw new IndexOutOfBoundsException("offsets leave the values");
      }
    }
  }
}
