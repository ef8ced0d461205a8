package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How the user wants the files of a dataset to become one table.
///
/// @param given the columns, if the user names them
/// @param from which files decide on the columns, if the user does not
/// @param casts the requested casts, in order; the last that matches applies
/// @param missing how a column that a file lacks is filled
/// @param names how names are compared
/// @param hive the declared types of Hive partition columns; empty if folders are not read as
///   partitions
/// @param rowIndex the column with the numbers of rows; empty if there is none
public record SchemaRules(
    Optional<Schema> given,
    SchemaFrom from,
    List<CastRule> casts,
    MissingColumns missing,
    Names names,
    Optional<Map<String, DataType>> hive,
    Optional<String> rowIndex) {
  /// The defaults.
  public static final SchemaRules DEFAULT =
      new SchemaRules(
          Optional.empty(),
          SchemaFrom.ALL,
          List.of(),
          MissingColumns.error(),
          new Names(true),
          Optional.empty(),
          Optional.empty());

  /// Changes which files decide on the columns.
  ///
  /// @return the changed rules
  public SchemaRules withFrom(SchemaFrom choice) {
    return new SchemaRules(Optional.empty(), choice, casts, missing, names, hive, rowIndex);
  }

  /// Changes the columns to those given.
  ///
  /// @return the changed rules
  public SchemaRules withGiven(Schema schema) {
    return new SchemaRules(Optional.of(schema), from, casts, missing, names, hive, rowIndex);
  }

  /// Adds a cast.
  ///
  /// @return the changed rules
  public SchemaRules withCast(CastRule cast) {
    List<CastRule> more = new ArrayList<>(casts);
    more.add(cast);
    return new SchemaRules(given, from, List.copyOf(more), missing, names, hive, rowIndex);
  }

  /// Changes how missing columns are filled.
  ///
  /// @param choice how they are filled
  /// @return the changed rules
  public SchemaRules withMissing(MissingColumns choice) {
    return new SchemaRules(given, from, casts, choice, names, hive, rowIndex);
  }

  /// Changes how names are compared.
  ///
  /// @return the changed rules
  public SchemaRules withNames(Names choice) {
    return new SchemaRules(given, from, casts, missing, choice, hive, rowIndex);
  }

  /// Reads folders as Hive partitions.
  ///
  /// @param types the declared types
  /// @return the changed rules
  public SchemaRules withHive(Map<String, DataType> types) {
    types.forEach(Partitions::requireReadable);
    return new SchemaRules(
        given, from, casts, missing, names, Optional.of(Map.copyOf(types)), rowIndex);
  }

  /// Adds a column with the numbers of rows.
  ///
  /// @return the changed rules
  public SchemaRules withRowIndex(String name) {
    return new SchemaRules(given, from, casts, missing, names, hive, Optional.of(name));
  }

  /// Returns whether a column has the numbers of rows.
  ///
  /// @param column its name
  /// @return true if so
  public boolean isRowIndex(String column) {
    return rowIndex.isPresent() && names.same(rowIndex.get(), column);
  }

  /// Returns the cast of a column or a part of a struct.
  ///
  /// @param path its dotted name
  /// @return the last that matches, if any
  Optional<CastRule> cast(String path) {
    for (CastRule cast : casts.reversed()) {
      if (cast.matches(path, names)) {
        return Optional.of(cast);
      }
    }
    return Optional.empty();
  }

  /// Returns whether no cast changes a column.
  ///
  /// @param path its name, or the dotted path of a part of a struct
  /// @return false if it or a column around it is cast
  public boolean isUncast(String path) {
    int dot = path.lastIndexOf('.');
    return cast(path).isEmpty() && (dot < 0 || isUncast(path.substring(0, dot)));
  }

  /// Returns whether values of a column may be changed by its cast.
  ///
  /// @param path its dotted name
  /// @return true if the user allowed that
  public boolean isLossy(String path) {
    return cast(path).map(CastRule::lossy).orElse(false);
  }

  /// Returns the default of a column, as the user gave it.
  Optional<Object> defaultOf(String column) {
    return missing.defaults().entrySet().stream()
        .filter(entry -> names.same(entry.getKey(), column))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
