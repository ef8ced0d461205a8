package dev.penstock.schema;

import dev.penstock.internal.choice.Shown;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The columns of a table, in order. Names are compared exactly, including case, unless stated
/// otherwise.
///
/// Immutable; share it freely among threads.
public final class Schema {
  private final List<Field> fields;
  private final Map<String, Integer> indexByName = new HashMap<>();
  private volatile @Nullable Map<String, Integer> indexByLowerCase; // made on first use

  private Schema(List<Field> fields) {
    this.fields = List.copyOf(fields);
    for (int i = 0; i < fields.size(); i++) {
      if (indexByName.put(fields.get(i).name(), i) != null) {
        throw new IllegalArgumentException(
            "Cannot make a schema: column '" + fields.get(i).name() + "' is there twice.");
      }
    }
  }

  /// {@return the schema with the given columns}
  ///
  /// @param fields the columns, in order
  /// @throws IllegalArgumentException if two columns have one name
  public static Schema of(List<Field> fields) {
    return new Schema(fields);
  }

  /// {@return the columns, in order; unmodifiable}
  public List<Field> fields() {
    return fields;
  }

  /// {@return the names of the columns, in order; unmodifiable}
  public List<String> names() {
    return fields.stream().map(Field::name).toList();
  }

  /// Looks up a column, or a part of a struct column by its dotted path: `address.city` is the
  /// field `city` of the structs in column `address`.
  ///
  /// A column whose own name contains the dots takes precedence.
  ///
  /// @param name the column's name or path
  /// @return the column, under the requested name, nullable if any struct on the path is; or empty
  ///   if there is none
  public Optional<Field> find(String name) {
    List<Integer> path = path(name);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    Field found = fields.get(path.getFirst());
    boolean nullable = found.nullable();
    for (int index : path.subList(1, path.size())) {
      found = ((DataType.Struct) found.type()).fields().get(index);
      nullable |= found.nullable();
    }
    return Optional.of(new Field(name, found.type(), nullable));
  }

  /// Returns the path to a column, or to a part of a struct column, by the name that [#find] takes:
  /// the index of the column, then of the next part in each struct.
  ///
  /// @param name the column's name or path
  /// @return at least one index, the first in [#fields()]; empty if there is no such column
  public List<Integer> path(String name) {
    int index = indexOf(name); // a lookup, because schemas may have thousands of columns
    return index >= 0 ? List.of(index) : path(fields, name);
  }

  private static List<Integer> path(List<Field> fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return List.of(i);
      }
    }
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (field.type() instanceof DataType.Struct(List<Field> parts)
          && name.startsWith(field.name() + ".")) {
        List<Integer> rest = path(parts, name.substring(field.name().length() + 1));
        if (!rest.isEmpty()) {
          return Stream.concat(Stream.of(i), rest.stream()).toList();
        }
      }
    }
    return List.of();
  }

  /// {@return the index of a column in [#fields()], or -1 if there is none of exactly that name}
  ///
  /// @param name the column's name
  public int indexOf(String name) {
    return indexByName.getOrDefault(name, -1);
  }

  /// {@return the first index in [#fields()] of a column whose name may differ in case, by the
  /// rules of [Locale#ROOT], or -1 if there is none}
  ///
  /// @param name the column's name
  public int indexOfIgnoringCase(String name) {
    Map<String, Integer> indexes = indexByLowerCase;
    if (indexes == null) {
      indexes = new HashMap<>();
      for (int i = 0; i < fields.size(); i++) {
        indexes.putIfAbsent(fields.get(i).name().toLowerCase(Locale.ROOT), i);
      }
      indexByLowerCase = indexes; // several threads may do this at once, with equal results
    }
    return indexes.getOrDefault(name.toLowerCase(Locale.ROOT), -1);
  }

  /// {@return the number of columns}
  public int size() {
    return fields.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema that && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /// {@return the first columns as text of about 800 characters at most, for example `[id: int64,
  /// name: string, ... 998 more]`; [#toString()] has all}
  public String summary() {
    return Shown.list(fields, Field::toString);
  }

  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
