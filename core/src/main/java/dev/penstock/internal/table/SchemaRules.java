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
/// @param casts in order; the last that matches applies
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
  public static final SchemaRules DEFAULT =
      new SchemaRules(
          Optional.empty(),
          SchemaFrom.ALL,
          List.of(),
          MissingColumns.error(),
          new Names(true),
          Optional.empty(),
          Optional.empty());

  public SchemaRules withFrom(SchemaFrom choice) {
    return new SchemaRules(Optional.empty(), choice, casts, missing, names, hive, rowIndex);
  }

  public SchemaRules withGiven(Schema schema) {
    return new SchemaRules(Optional.of(schema), from, casts, missing, names, hive, rowIndex);
  }

  public SchemaRules withCast(CastRule cast) {
    List<CastRule> more = new ArrayList<>(casts);
    more.add(cast);
    return new SchemaRules(given, from, List.copyOf(more), missing, names, hive, rowIndex);
  }

  public SchemaRules withMissing(MissingColumns choice) {
    return new SchemaRules(given, from, casts, choice, names, hive, rowIndex);
  }

  public SchemaRules withNames(Names choice) {
    return new SchemaRules(given, from, casts, missing, choice, hive, rowIndex);
  }

  public SchemaRules withHive(Map<String, DataType> types) {
    types.forEach(Partitions::requireReadable);
    return new SchemaRules(
        given, from, casts, missing, names, Optional.of(Map.copyOf(types)), rowIndex);
  }

  public SchemaRules withRowIndex(String name) {
    return new SchemaRules(given, from, casts, missing, names, hive, Optional.of(name));
  }

  public boolean isRowIndex(String column) {
    return rowIndex.isPresent() && names.same(rowIndex.get(), column);
  }

  /// Returns the last cast that matches a column or the dotted path of a part of a struct.
  Optional<CastRule> cast(String path) {
    String dotted = Names.dotted(path);
    return casts.reversed().stream().filter(cast -> cast.matches(dotted, names)).findFirst();
  }

  /// Returns whether no cast changes a column or the dotted path of a part of a struct, nor a
  /// column around it.
  public boolean isUncast(String path) {
    String dotted = Names.dotted(path);
    int dot = dotted.lastIndexOf('.');
    return cast(dotted).isEmpty() && (dot < 0 || isUncast(dotted.substring(0, dot)));
  }

  /// Returns whether the user allowed the cast of a column to change values.
  public boolean isLossy(String path) {
    return cast(path).map(CastRule::lossy).orElse(false);
  }

  /// Returns how a column or the dotted path of a part of a struct is read, as a text: where that
  /// and its type are the same, files have the same values in it.
  public String reading(String path) {
    StringBuilder reading = new StringBuilder();
    reading.append(names.caseSensitive() ? "" : " in any case");
    reading.append(isRowIndex(path) ? " of row numbers" : "");
    reading.append(isUncast(path) ? "" : isLossy(path) ? " cast lossily" : " cast");
    defaultOf(path).ifPresent(value -> reading.append(" or ").append(value));
    return reading.toString();
  }

  Optional<Object> defaultOf(String column) {
    return missing.defaults().entrySet().stream()
        .filter(entry -> names.same(entry.getKey(), column))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
