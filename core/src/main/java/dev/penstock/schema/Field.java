package dev.penstock.schema;

/// One column of a [Schema].
///
/// @param name the column's name
/// @param type the type of its values
/// @param nullable whether the files allow nulls in it
public record Field(String name, DataType type, boolean nullable) {
  @Override
  public String toString() {
    return name + ": " + type + (nullable ? "" : " not null");
  }
}
