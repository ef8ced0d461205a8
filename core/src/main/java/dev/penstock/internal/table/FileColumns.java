package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.PartitionValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where the columns of the table are in one file.
///
/// @param schema the file's own columns
/// @param partition the partition values of this file's folders
/// @param constants column to the value that all rows of this file have according to a catalog;
///   empty for null
/// @param rowsBefore how many rows the files before this one have; 0 if rows are not numbered
public record FileColumns(
    Schema table,
    Schema schema,
    SchemaRules rules,
    Partitions partitions,
    List<PartitionValue> partition,
    Map<String, Optional<Object>> constants,
    long rowsBefore) {
  static FileColumns alone(
      Schema schema, List<PartitionValue> partition, Map<String, Optional<Object>> constants) {
    return new FileColumns(
        schema, schema, SchemaRules.DEFAULT, Partitions.NONE, partition, constants, 0);
  }

  FileColumns in(Schema table, Schema schema, SchemaRules rules, Partitions partitions) {
    return new FileColumns(table, schema, rules, partitions, partition, constants, rowsBefore);
  }

  FileColumns after(long rows) {
    return new FileColumns(table, schema, rules, partitions, partition, constants, rows);
  }

  /// Looks up a column of the table, or a part of a struct by its path.
  Optional<Field> find(String column) {
    return rules.names().find(table, column).map(found -> new Field(column, found.type(), true));
  }

  /// Returns where a column of the table, or a part of a struct, comes from.
  ///
  /// A value from folders or a catalog takes precedence over a column of the file. A column of type
  /// null is not read.
  public ColumnSource source(Field column) {
    if (rules.isRowIndex(column.name())) {
      return new ColumnSource.RowNumbers(rowsBefore);
    }
    if (partitions.has(column.name()) && partitions.isGiven(partition, column.name())) {
      return new ColumnSource.Constant(partitions.value(partition, column.name()));
    }
    Optional<Optional<Object>> constant = constant(column.name());
    if (constant.isPresent()) {
      return constant(column, constant.get().orElse(null));
    }
    Optional<Field> stored = stored(column.name());
    if (stored.isPresent()) {
      if (stored.get().type() instanceof DataType.Null) {
        return new ColumnSource.Constant(null);
      }
      return new ColumnSource.Stored(stored.get().name(), stored.get().type());
    }
    Optional<ColumnSource> field = rules.names().variantField(schema, column.name());
    return field
        .or(() -> rules.names().listField(schema, column.name()))
        .orElseGet(() -> constant(column, rules.defaultOf(column.name()).orElse(null)));
  }

  private Optional<Optional<Object>> constant(String column) {
    for (Map.Entry<String, Optional<Object>> entry : constants.entrySet()) {
      if (rules.names().same(entry.getKey(), column)) {
        return Optional.of(entry.getValue());
      }
    }
    return Optional.empty();
  }

  private static ColumnSource constant(Field column, @Nullable Object value) {
    return new ColumnSource.Constant(value == null ? null : Constants.of(column.type(), value));
  }

  /// Returns the column of the file that is read for a column of the table or a part of one: where
  /// that is a field of structs in lists, the lists.
  Optional<Field> read(String column) {
    return stored(column)
        .or(() -> rules.names().listField(schema, column).flatMap(ColumnSource::read));
  }

  /// Returns the column of the file, under its name or path there, that has the values of a column
  /// of the table or a part of a struct.
  Optional<Field> stored(String column) {
    return rules.isRowIndex(column) || partitions.has(column) || constant(column).isPresent()
        ? Optional.empty()
        : rules.names().stored(schema, column);
  }
}
