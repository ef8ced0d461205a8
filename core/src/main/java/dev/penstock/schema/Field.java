package dev.penstock.schema;

import java.util.Optional;

/// One column of a [Schema].
///
/// @param name the column's name
/// @param type the type of its values
/// @param nullable whether the files allow nulls in it
public record Field(String name, DataType type, boolean nullable) {
  /// Returns the one column that holds the values of this column and of another.
  ///
  /// @param other the other column
  /// @return this column, nullable where either is, see [DataType#joined]; empty when name or type
  ///   differ
  public Optional<Field> joined(Field other) {
    return name.equals(other.name)
        ? type.joined(other.type).map(joined -> new Field(name, joined, nullable || other.nullable))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return name + ": " + type + (nullable ? "" : " not null");
  }
}
