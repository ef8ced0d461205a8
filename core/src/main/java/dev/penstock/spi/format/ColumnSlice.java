package dev.penstock.spi.format;

import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some rows of one column in Arrow's memory layout, little-endian.
///
/// Row `i` is in `[0, rowCount)`. Fixed-width values: value `i` at byte `i * byteWidth` of
/// `values`. [DataType.Bool]: bit `i % 8` of byte `i / 8` of `values`. [DataType.Utf8] and
/// [DataType.Binary]: bytes `[offsets[i], offsets[i + 1])` of `values`, offsets being 32-bit; or,
/// where `codes` is set, entry `codes[i]` of the `dictionary`. [DataType.List]: elements
/// `[offsets[i], offsets[i + 1])` of the only child; a null list has none. [DataType.Map]: the
/// same, the child being a [DataType.Struct] of keys and values. [DataType.Struct]: row `i` of each
/// child, which is null where the struct is.
///
/// **Ownership.** Belongs to the [SliceReader] that made it, until its next call.
///
/// @param type the type of the values
/// @param rowCount the rows
/// @param nullCount how many of them are null
/// @param validity one bit per row, least significant first, 1 = present; absent exactly when
///   `nullCount` is 0. The value of a null row is undefined, but readable; its code is 0
/// @param values the values; may be larger than needed; [MemorySegment#NULL] for nested types
/// @param offsets `rowCount + 1` 32-bit offsets into `values` or the child, rising, the first not
///   always 0; only for variable width without `codes`, lists and maps
/// @param codes one 32-bit index per row into `dictionary`, each in `[0, dictionary.size())` (0 is
///   also given for nulls when the dictionary is empty)
/// @param dictionary the distinct values that `codes` point at
/// @param children the parts of nested values: the element of a list, with at least
///   `offsets[rowCount]` rows; the fields of a struct, in order, with `rowCount` rows each; empty
///   for all other types
public record ColumnSlice(
    DataType type,
    int rowCount,
    int nullCount,
    @Nullable MemorySegment validity,
    MemorySegment values,
    @Nullable MemorySegment offsets,
    @Nullable MemorySegment codes,
    @Nullable TextDictionary dictionary,
    List<ColumnSlice> children) {

  /// {@return a slice of fixed-width or boolean values}
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param values the values
  public static ColumnSlice fixed(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment values) {
    return new ColumnSlice(
        type, rowCount, nullCount, validity, values, null, null, null, List.of());
  }

  /// {@return a slice of variable-width values}
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param values the bytes
  /// @param offsets `rowCount + 1` 32-bit offsets into `values`
  public static ColumnSlice variable(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment values,
      MemorySegment offsets) {
    return new ColumnSlice(
        type, rowCount, nullCount, validity, values, offsets, null, null, List.of());
  }

  /// {@return a slice of variable-width values given by their place in a dictionary}
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param codes one 32-bit index per row
  /// @param dictionary the distinct values
  public static ColumnSlice coded(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment codes,
      TextDictionary dictionary) {
    return new ColumnSlice(
        type,
        rowCount,
        nullCount,
        validity,
        dictionary.values(),
        null,
        codes,
        dictionary,
        List.of());
  }

  /// {@return a slice of lists or maps}
  ///
  /// @param type the type of the lists or maps
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param offsets `rowCount + 1` 32-bit offsets into the rows of `element`
  /// @param element the elements, or the entries of the maps
  public static ColumnSlice list(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment offsets,
      ColumnSlice element) {
    return new ColumnSlice(
        type,
        rowCount,
        nullCount,
        validity,
        MemorySegment.NULL,
        offsets,
        null,
        null,
        List.of(element));
  }

  /// {@return a slice of structs}
  ///
  /// @param type the type of the structs
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param fields the fields, in order, of `rowCount` rows each
  public static ColumnSlice struct(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      List<ColumnSlice> fields) {
    return new ColumnSlice(
        type, rowCount, nullCount, validity, MemorySegment.NULL, null, null, null, fields);
  }
}
