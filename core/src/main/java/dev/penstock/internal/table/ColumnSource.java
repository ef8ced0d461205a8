package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where a file has the values of a column of the table.
public sealed interface ColumnSource {
  /// In a column of the file, or a part of a struct, under a name as
  /// [dev.penstock.schema.Schema#find] takes it.
  record Stored(String path, DataType type) implements ColumnSource {}

  /// In a field of a column of variants, or of a part of a struct, for the rows that have the
  /// field; its names have dots between them.
  record VariantField(String path, String field) implements ColumnSource {}

  /// In a field of the structs in a column of lists, or in lists that are a part of a struct: the
  /// lists of its values. The field may itself be of structs in lists.
  record ListField(String path, DataType type, String field) implements ColumnSource {}

  /// Not in the file: all rows have one value, of the class that [dev.penstock.spi.format.Bound]
  /// names for the column's type, or NaN; null for nulls.
  record Constant(@Nullable Comparable<?> value) implements ColumnSource {}

  /// Not in the file: rows are numbered as they are stored, also those that were deleted. The
  /// file's first row has the number `first`.
  record RowNumbers(long first) implements ColumnSource {
    public static final DataType TYPE = DataType.int64();
  }

  /// Returns the file's column to read, under its name or path in the file; empty if there is none.
  default Optional<Field> read() {
    return switch (this) {
      case Stored(String path, DataType type) -> Optional.of(new Field(path, type, true));
      case ListField(String path, DataType type, String _) ->
          Optional.of(new Field(path, type, true));
      case VariantField(String path, String _) ->
          Optional.of(new Field(path, new DataType.Variant(), true));
      case Constant _, RowNumbers _ -> Optional.empty();
    };
  }
}
