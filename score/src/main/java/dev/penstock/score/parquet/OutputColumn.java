package dev.penstock.score.parquet;

import dev.penstock.schema.DataType;

/// One column of a [PartFile].
///
/// @param name the column's name
/// @param type the type of its values; a [DataType.List] for several values a row, whose elements
///   are never null
/// @param nullable whether a row may have no value
public record OutputColumn(String name, DataType type, boolean nullable) {
  /// Throws [IllegalArgumentException] if the name is empty, or if no column of the type can be
  /// written: of structs, maps, variants, intervals, decimals of more than 38 digits, lists of
  /// lists, lists with nulls, and lists of what is not a number, boolean or time.
  public OutputColumn {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("Cannot write a column without a name.");
    }
    if (!isWritable(type)) {
      throw new IllegalArgumentException(
          "Cannot write column '"
              + name
              + "': type "
              + type
              + " is not written. Types are: booleans, integers, floats, decimals of up to 38"
              + " digits, strings, binaries, UUIDs, dates, times, timestamps; lists without null"
              + " elements of booleans, numbers and times.");
    }
  }

  private static boolean isWritable(DataType type) {
    return type instanceof DataType.List(DataType element, boolean nullableElements)
        ? !nullableElements && isNumber(element)
        : isNumber(type) || isObject(type);
  }

  /// Returns whether values come as a tensor.
  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Bool
        || type instanceof DataType.Int
        || type instanceof DataType.Floating
        || type instanceof DataType.Date
        || type instanceof DataType.Time
        || type instanceof DataType.Timestamp;
  }

  /// Returns whether values come as a list of objects.
  private static boolean isObject(DataType type) {
    return type instanceof DataType.Utf8
        || type instanceof DataType.Binary
        || type instanceof DataType.FixedBinary
        || type instanceof DataType.Uuid
        || (type instanceof DataType.Decimal(int precision, int _) && precision <= 38);
  }

  /// Returns the type of a value: of a list that of its elements.
  DataType valueType() {
    return type instanceof DataType.List list ? list.element() : type;
  }

  boolean isList() {
    return type instanceof DataType.List;
  }

  /// Returns whether values come as a list of objects, not as a tensor.
  boolean hasObjects() {
    return isObject(type);
  }

  @Override
  public String toString() {
    return name + ": " + type + (nullable ? "" : " not null");
  }
}
