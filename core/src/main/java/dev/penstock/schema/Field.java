package dev.penstock.schema;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One column of a [Schema].
///
/// @param name the column's name
/// @param type the type of its values
/// @param nullable whether the files allow nulls in it
public record Field(String name, DataType type, boolean nullable) {
  /* equals and hashCode are those of a record. Written out, they need not be linked on their first
   * call, which every epoch of a fresh JVM would wait for. */

  /// {@return the column that can hold the values of this column and another: this column, nullable
  /// if either is, see [DataType#joined]; empty if name or type differ}
  ///
  /// @param other the other column
  public Optional<Field> joined(Field other) {
    return name.equals(other.name)
        ? type.joined(other.type).map(joined -> new Field(name, joined, nullable || other.nullable))
        : Optional.empty();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Field that
        && name.equals(that.name)
        && type.equals(that.type)
        && nullable == that.nullable;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * name.hashCode() + type.hashCode()) + Boolean.hashCode(nullable);
  }

  @Override
  public String toString() {
    return name + ": " + type + (nullable ? "" : " not null");
  }
}
