package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.OptionalLong;

/// A column of 64-bit integers that is computed from the place of a row in its file, unless the
/// file stores it.
///
/// Immutable; share it freely among threads.
///
/// @param name its name
/// @param id the number under which a file may store it; a stored value counts, a stored null does
///   not
/// @param start the value of the file's first row; empty if rows have only stored values
/// @param step what is added from row to row, deleted rows counted
public record CountedColumn(String name, int id, OptionalLong start, int step) {
  /// {@return name and type; nullable if rows have only stored values}
  public Field field() {
    return new Field(name, DataType.int64(), start.isEmpty());
  }
}
