package dev.penstock.internal.checked;

import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares slices with what [ColumnSlice] says of them.
final class SliceCheck {
  private static final int INT_BYTES = 4;

  private final Contract contract;
  private final boolean everyRow;
  private String column = "";
  private long firstRow;
  private int rows;
  private @Nullable TextDictionary checked; // slices share it

  /// @param everyRow whether each offset and code is checked, not only the ends and lengths
  SliceCheck(Contract contract, boolean everyRow) {
    this.everyRow = everyRow;
    this.contract = contract;
  }

  /// Checks a column of a slice whose first row is counted from 0 in the file.
  void check(Field field, ColumnSlice slice, int rows, long firstRow) {
    this.column = field.name();
    this.firstRow = firstRow;
    this.rows = rows;
    check(slice, field.type(), rows);
  }

  private IllegalStateException broken(String what) {
    return contract.broken(
        "column '" + column + "', rows [" + firstRow + ", " + (firstRow + rows) + ")", what);
  }

  private void check(ColumnSlice slice, DataType type, int rows) {
    if (!isSame(slice.type(), type)) {
      throw broken("gave a slice of " + slice.type() + " but expected " + type);
    }
    if (slice.rowCount() != rows) {
      throw broken("gave a slice of " + slice.rowCount() + " rows but expected " + rows);
    }
    if (slice.values() == null || slice.children() == null) {
      throw broken(
          "gave a slice whose " + (slice.values() == null ? "values" : "children") + " are null");
    }
    checkNulls(slice, rows);
    switch (type) {
      case DataType.List(DataType element, boolean _) -> checkList(slice, element);
      case DataType.Map map -> checkList(slice, map.entry());
      case DataType.Struct(List<Field> fields) -> checkStruct(slice, fields);
      default -> checkFlat(slice, type);
    }
  }

  /// Compares types; whether nested values are nullable may differ.
  private static boolean isSame(@Nullable DataType given, DataType wanted) {
    if (wanted.equals(given)) {
      return true;
    }
    return switch (wanted) {
      case DataType.List(DataType element, boolean _) ->
          given instanceof DataType.List(DataType other, boolean _) && isSame(other, element);
      case DataType.Map(DataType key, DataType value, boolean _) ->
          given instanceof DataType.Map(DataType otherKey, DataType otherValue, boolean _)
              && isSame(otherKey, key)
              && isSame(otherValue, value);
      case DataType.Struct(List<Field> fields) ->
          given instanceof DataType.Struct(List<Field> others) && areSame(others, fields);
      default -> false;
    };
  }

  private static boolean areSame(List<Field> given, List<Field> wanted) {
    boolean same = given.size() == wanted.size();
    for (int i = 0; same && i < given.size(); i++) {
      same =
          given.get(i).name().equals(wanted.get(i).name())
              && isSame(given.get(i).type(), wanted.get(i).type());
    }
    return same;
  }

  private void checkNulls(ColumnSlice slice, int rows) {
    int nulls = slice.nullCount();
    MemorySegment validity = slice.validity();
    if (nulls < 0 || nulls > rows) {
      throw broken(
          "gave a slice of " + nulls + " nulls but expected a number in [0, " + rows + "]");
    }
    if ((validity == null) != (nulls == 0)) {
      throw broken(
          validity == null
              ? "gave no validity for a slice of " + nulls + " nulls"
              : "gave validity for a slice without nulls, which has none");
    }
    if (validity != null) {
      requireLength(validity, "validity", (rows + 7L) / 8);
      int counted = 0;
      for (int at = 0; at < rows; at += Long.SIZE) {
        counted += Long.bitCount(nulls(validity, at, rows));
      }
      if (counted != nulls) {
        throw broken("gave a slice of " + nulls + " nulls but its validity has " + counted);
      }
    }
  }

  /// Returns a bit for each of the rows `[at, at + 64)`, set for a null.
  private static long nulls(MemorySegment validity, int at, int rows) {
    int count = Math.min(rows - at, Long.SIZE);
    int first = at >>> 3;
    if (first + 8L <= validity.byteSize()) {
      return ~validity.get(Raw.LONG, first) & (-1L >>> -count);
    }
    long nulls = 0;
    for (int i = 0; i < count; i++) {
      nulls |= (~validity.get(Raw.BYTE, first + (i >>> 3)) >>> (i & 7) & 1L) << i;
    }
    return nulls;
  }

  private void requireLength(MemorySegment segment, String what, long bytes) {
    if (segment.byteSize() < bytes) {
      throw broken(
          "gave " + segment.byteSize() + " bytes of " + what + " but expected at least " + bytes);
    }
  }

  private void requireNone(@Nullable Object part, String what) {
    if (part != null) {
      throw broken("gave " + what + " for a type that has none");
    }
  }

  private void checkFlat(ColumnSlice slice, DataType type) {
    if (!slice.children().isEmpty()) {
      throw broken("gave children for a type that has none");
    }
    if (!type.isVariableWidth()) {
      requireNone(slice.offsets(), "offsets");
      requireNone(slice.codes(), "codes");
      long rows = slice.rowCount();
      boolean isBits = type instanceof DataType.Bool;
      requireLength(slice.values(), "values", isBits ? (rows + 7) / 8 : rows * type.byteWidth());
    } else if (slice.codes() != null) {
      requireNone(slice.offsets(), "offsets beside codes,");
      checkCodes(slice, slice.codes());
    } else {
      long bytes = slice.values().byteSize();
      checkOffsets(slice.offsets(), slice.rowCount(), bytes, "bytes of values");
    }
  }

  private void checkCodes(ColumnSlice slice, MemorySegment codes) {
    TextDictionary dictionary = slice.dictionary();
    if (dictionary == null) {
      throw broken("gave codes without a dictionary");
    }
    if (!dictionary.equals(checked)) {
      long bytes = dictionary.values().byteSize();
      checkOffsets(dictionary.offsets(), dictionary.size(), bytes, "bytes of its dictionary");
      checked = dictionary;
    }
    int rows = slice.rowCount();
    requireLength(codes, "codes", (long) rows * INT_BYTES);
    if (everyRow) {
      checkEvery(slice, codes, dictionary.size());
    }
  }

  private void checkEvery(ColumnSlice slice, MemorySegment codes, int values) {
    for (int i = 0; i < slice.rowCount(); i++) {
      int code = codes.get(Raw.INT, (long) i * INT_BYTES);
      if (code < 0 || code > Math.max(0, values - 1)) {
        throw broken("gave the code " + code + " but its dictionary has " + values + " values");
      }
    }
    int row = firstNull(slice, i -> codes.get(Raw.INT, (long) i * INT_BYTES) != 0);
    if (row >= 0) {
      throw broken("gave another code than 0 for a null, row " + row + " of the slice");
    }
  }

  private interface RowTest {
    boolean test(int row);
  }

  /// Returns the first null that passes a test; -1 if there is none, or not every row is checked.
  private int firstNull(ColumnSlice slice, RowTest test) {
    MemorySegment validity = slice.validity();
    for (int at = 0; everyRow && validity != null && at < slice.rowCount(); at += Long.SIZE) {
      long nulls = nulls(validity, at, slice.rowCount());
      for (; nulls != 0; nulls &= nulls - 1) {
        int row = at + Long.numberOfTrailingZeros(nulls);
        if (test.test(row)) {
          return row;
        }
      }
    }
    return -1;
  }

  /// Checks the offsets of some rows, one more than rows, and returns them.
  private MemorySegment checkOffsets(
      @Nullable MemorySegment offsets, int rows, long limit, String of) {
    if (offsets == null) {
      throw broken("gave no offsets, and no codes");
    }
    requireLength(offsets, "offsets", (rows + 1L) * INT_BYTES);
    int step = everyRow ? 1 : Math.max(1, rows);
    int before = 0;
    for (int i = 0; i <= rows; i += step) {
      int next = offsets.get(Raw.INT, (long) i * INT_BYTES);
      if (next < before) {
        throw broken("gave the offset " + next + " behind " + before);
      }
      before = next;
    }
    if (before > limit) {
      throw broken("gave offsets up to " + before + " but there are " + limit + " " + of);
    }
    return offsets;
  }

  private void checkList(ColumnSlice slice, DataType element) {
    requireNone(slice.codes(), "codes");
    if (slice.children().size() != 1) {
      throw broken("gave " + slice.children().size() + " children for a list, which has 1");
    }
    ColumnSlice child = slice.children().getFirst();
    check(child, element, child.rowCount());
    MemorySegment offsets =
        checkOffsets(slice.offsets(), slice.rowCount(), child.rowCount(), "elements");
    int row =
        firstNull(
            slice,
            i ->
                offsets.get(Raw.INT, (long) i * INT_BYTES)
                    != offsets.get(Raw.INT, (i + 1L) * INT_BYTES));
    if (row >= 0) {
      throw broken("gave elements to a list that is null, row " + row + " of the slice");
    }
  }

  private void checkStruct(ColumnSlice slice, List<Field> fields) {
    requireNone(slice.offsets(), "offsets");
    requireNone(slice.codes(), "codes");
    if (slice.children().size() != fields.size()) {
      throw broken(
          "gave "
              + slice.children().size()
              + " children for a struct of "
              + fields.size()
              + " fields");
    }
    for (int i = 0; i < fields.size(); i++) {
      ColumnSlice child = slice.children().get(i);
      check(child, fields.get(i).type(), slice.rowCount());
      MemorySegment validity = child.validity();
      int row =
          firstNull(
              slice,
              each ->
                  validity == null || (validity.get(Raw.BYTE, each >>> 3) >> (each & 7) & 1) != 0);
      if (row >= 0) {
        throw broken(
            "gave field '"
                + fields.get(i).name()
                + "' to a struct that is null, row "
                + row
                + " of the slice");
      }
    }
  }
}
