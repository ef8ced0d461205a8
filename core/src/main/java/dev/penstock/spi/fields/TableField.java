package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import java.util.List;
import java.util.Optional;

/// A column of a table, or a part of one, with the number by which the table identifies it.
///
/// Immutable; share it freely among threads.
///
/// @param id the number; only columns and the parts of structs are looked up by it
/// @param field name and type in the table
/// @param parts the fields of a struct, the element of a list, key and value of a map, in order;
///   empty for all other types
/// @param initial the value of rows whose file has no such part, as one value lies in a
///   [dev.penstock.spi.format.ColumnSlice], a boolean as a byte of eight bits; empty for null. Only
///   parts of structs have it: for columns there is
///   [dev.penstock.spi.catalog.CatalogTable#missingColumns]
public record TableField(
    int id, Field field, List<TableField> parts, Optional<ByteString> initial) {
  /// Copies the list. Throws [IllegalArgumentException] if the number of parts is not that of the
  /// type.
  public TableField {
    parts = List.copyOf(parts);
    int expected =
        switch (field.type()) {
          case DataType.Struct(List<Field> fields) -> fields.size();
          case DataType.List _ -> 1;
          case DataType.Map _ -> 2;
          default -> 0;
        };
    if (parts.size() != expected) {
      throw new IllegalArgumentException(
          "Cannot describe "
              + field
              + ": it has "
              + expected
              + " parts, not "
              + parts.size()
              + ".");
    }
  }
}
