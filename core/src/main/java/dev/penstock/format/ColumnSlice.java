package dev.penstock.format;

import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Some rows of one column in Arrow's memory layout, little-endian.
///
/// Row `i` is in `[0, rowCount)`. Fixed-width values: value `i` at byte `i * byteWidth` of
/// `values`. [DataType.Bool]: bit `i % 8` of byte `i / 8` of `values`. [DataType.Utf8] and
/// [DataType.Binary]: bytes `[offsets[i], offsets[i + 1])` of `values`, offsets being 32-bit; or,
/// where `codes` is set, entry `codes[i]` of the `dictionary`.
///
/// **Ownership.** Belongs to the [SliceReader] that made it, until its next call.
///
/// @param type the type of the values
/// @param rowCount the rows
/// @param nullCount how many of them are null
/// @param validity one bit per row, least significant first, 1 = present; absent exactly when
///   `nullCount` is 0. The value of a null row is undefined, but readable; its code is 0
/// @param values the values; may be larger than needed
/// @param offsets `rowCount + 1` 32-bit offsets into `values`, rising; only for variable width
///   without `codes`
/// @param codes one 32-bit index per row into `dictionary`, each in `[0, dictionary.size())` (0 is
///   also given for nulls when the dictionary is empty)
/// @param dictionary the distinct values that `codes` point at
public record ColumnSlice(
    DataType type,
    int rowCount,
    int nullCount,
    @Nullable MemorySegment validity,
    MemorySegment values,
    @Nullable MemorySegment offsets,
    @Nullable MemorySegment codes,
    @Nullable Dictionary dictionary) {

  /// Returns a slice of fixed-width or boolean values.
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param values the values
  /// @return the slice
  public static ColumnSlice fixed(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment values) {
    return new ColumnSlice(type, rowCount, nullCount, validity, values, null, null, null);
  }

  /// Returns a slice of variable-width values.
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param values the bytes
  /// @param offsets `rowCount + 1` 32-bit offsets into `values`
  /// @return the slice
  public static ColumnSlice variable(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment values,
      MemorySegment offsets) {
    return new ColumnSlice(type, rowCount, nullCount, validity, values, offsets, null, null);
  }

  /// Returns a slice of variable-width values given by their place in a dictionary.
  ///
  /// @param type the type of the values
  /// @param rowCount the rows
  /// @param nullCount how many of them are null
  /// @param validity one bit per row, or null when there are no nulls
  /// @param codes one 32-bit index per row
  /// @param dictionary the distinct values
  /// @return the slice
  public static ColumnSlice coded(
      DataType type,
      int rowCount,
      int nullCount,
      @Nullable MemorySegment validity,
      MemorySegment codes,
      Dictionary dictionary) {
    return new ColumnSlice(
        type, rowCount, nullCount, validity, dictionary.values(), null, codes, dictionary);
  }
}
