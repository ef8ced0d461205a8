package dev.penstock.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// How to fill a column of the dataset that one of its files lacks.
///
/// Missing parts of structs follow the same choice, but cannot have their own defaults.
///
/// Immutable: every method returns a changed copy. Compared by value.
public final class MissingColumns {
  private static final MissingColumns ERROR = new MissingColumns(false, Map.of());
  private static final MissingColumns NULLS = new MissingColumns(true, Map.of());

  private final boolean nulls;
  private final Map<String, Object> defaults;

  private MissingColumns(boolean nulls, Map<String, Object> defaults) {
    this.nulls = nulls;
    this.defaults = defaults;
  }

  /// {@return the default: files that lack a column are an error}
  public static MissingColumns error() {
    return ERROR;
  }

  /// {@return the choice that rows of files that lack a column have nulls in it}
  public static MissingColumns nulls() {
    return NULLS;
  }

  /// Gives one value for the rows of files that lack a column, whatever the choice for other
  /// columns.
  ///
  /// @param column the name of a column
  /// @param value a value of its type: a `Boolean`, a `Number`, a `String`, a `byte[]`, a
  ///   `LocalDate`, a `LocalTime`, a `LocalDateTime`, an `Instant` (in UTC) or a `UUID`
  /// @return the changed choice
  public MissingColumns withDefault(String column, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(defaults);
    changed.put(Objects.requireNonNull(column), Objects.requireNonNull(value));
    return new MissingColumns(nulls, changed);
  }

  /// {@return whether missing columns without a default become null; else they are an error}
  public boolean givesNulls() {
    return nulls;
  }

  /// {@return column to default, in the order they were given; a copy}
  public Map<String, Object> defaults() {
    return new LinkedHashMap<>(defaults);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MissingColumns choice
        && nulls == choice.nulls
        && defaults.equals(choice.defaults);
  }

  @Override
  public int hashCode() {
    return Objects.hash(nulls, defaults);
  }

  @Override
  public String toString() {
    return (nulls ? "nulls" : "error") + (defaults.isEmpty() ? "" : ", defaults " + defaults);
  }
}
