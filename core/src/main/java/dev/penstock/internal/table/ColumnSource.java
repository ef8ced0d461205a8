package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import org.jspecify.annotations.Nullable;

/// Where a file has the values of a column of the table.
public sealed interface ColumnSource {
  /// In a column of the file, or a part of a struct.
  ///
  /// @param path its name in the file, as [dev.penstock.schema.Schema#find] takes it
  /// @param type its type in the file
  record Stored(String path, DataType type) implements ColumnSource {}

  /// Not in the file: all rows have one value.
  ///
  /// @param value of the class that [dev.penstock.spi.format.Bound] names for the column's type, or
  ///   NaN; null for nulls
  record Constant(@Nullable Comparable<?> value) implements ColumnSource {}
}
