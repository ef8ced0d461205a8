package dev.penstock.internal.dataset;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.filter.Filter;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.table.CastRule;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The sources of a mixture under one schema, and a table of all of their files, for what does not
/// depend on the source.
record MixedSources(List<DatasetSettings> datasets, Table table) {
  /// A column, and the first source that has it.
  private record Column(Field field, int source) {}

  /// Gives all sources the same columns, the wanted ones or all that a source has, and a filter
  /// beside their own.
  ///
  /// @throws SchemaMismatchException if two sources have a column with types that cannot be joined,
  ///   or one lacks a column
  static MixedSources of(
      Origin.Mixed mixture, Optional<List<String>> columns, Optional<Filter> filter)
      throws IOException {
    Optional<String> numbers = mixture.numberColumn();
    List<DatasetSettings> given = mixture.sources();
    Optional<List<String>> wanted =
        columns.map(
            names -> names.stream().filter(name -> !numbers.equals(Optional.of(name))).toList());
    Map<String, Column> joined = joined(given, wanted);
    List<String> names = new ArrayList<>(joined.keySet());
    numbers.ifPresent(names::add);
    List<DatasetSettings> same = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      DatasetSettings dataset = same(given.get(i), i, joined, wanted, numbers);
      dataset = dataset.with(columns.orElse(names));
      if (filter.isPresent()) {
        Optional<Filter> before = dataset.source().filter();
        Filter own = before.map(each -> each.and(filter.get())).orElse(filter.get());
        dataset = dataset.with(source -> source.with(own));
      }
      same.add(dataset);
    }
    List<Table> tables = same.stream().map(DatasetSettings::table).toList();
    return new MixedSources(List.copyOf(same), Table.joined(tables, nullable(same)));
  }

  private static Schema schema(DatasetSettings dataset, Optional<List<String>> wanted) {
    if (wanted.isEmpty()) {
      return dataset.schema();
    }
    List<Field> found = new ArrayList<>();
    Schema all = dataset.table().everyColumn();
    for (String name : wanted.get()) {
      if (all.find(name).isPresent()) {
        found.addAll(dataset.with(List.of(name)).schema().fields());
      }
    }
    return Schema.of(found);
  }

  private static Map<String, Column> joined(
      List<DatasetSettings> given, Optional<List<String>> wanted) throws IOException {
    Map<String, Column> joined = new LinkedHashMap<>();
    for (int i = 0; i < given.size(); i++) {
      for (Field field : schema(given.get(i), wanted).fields()) {
        Column before = joined.putIfAbsent(field.name(), new Column(field, i));
        if (before != null) {
          DataType type = joined(before, field, i);
          Field both = new Field(field.name(), type, before.field.nullable() || field.nullable());
          joined.put(field.name(), new Column(both, before.source));
        }
      }
    }
    return joined;
  }

  private static DataType joined(Column before, Field field, int source)
      throws SchemaMismatchException {
    return Table.joined(before.field.type(), field.type())
        .orElseThrow(() ->
            new SchemaMismatchException(
                Advice.of(
                    "Cannot mix column '%s': it is %s in source %s but %s in source %s. Cast it to"
                        + " one type with %s in one of them, or read other columns.",
                    field.name(),
                    before.field.type(),
                    before.source,
                    field.type(),
                    source,
                    Remedy.CAST)));
  }

  /// Returns a source with the types of all, with columns that it lacks, and with its number.
  private static DatasetSettings same(
      DatasetSettings given,
      int source,
      Map<String, Column> joined,
      Optional<List<String>> wanted,
      Optional<String> numbers)
      throws SchemaMismatchException {
    DatasetSettings dataset = given;
    Schema own = schema(given, wanted);
    List<Field> more = new ArrayList<>();
    for (Column column : joined.values()) {
      Field field = column.field;
      Field mine = own.find(field.name()).orElse(null);
      if (mine == null) {
        if (!fillsMissing(given, field.name())) {
          throw new SchemaMismatchException(
              Advice.of(
                  "Cannot mix column '%s': source %s has it but source %s has not. Leave"
                      + " it out of %s, or allow missing columns with %s.",
                  field.name(),
                  column.source,
                  source,
                  Remedy.name("columns"),
                  Remedy.MISSING_COLUMNS));
        }
        more.add(new Field(field.name(), field.type(), true));
      } else if (!mine.type().equals(field.type())) {
        dataset =
            with(dataset, rules -> rules.withCast(CastRule.of(field.name(), field.type(), false)));
      }
    }
    Schema all = given.table().everyColumn();
    if (numbers.isPresent()) {
      String name = numbers.get();
      if (all.find(name).isPresent()) {
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot say a row's source in column '%s': source %s has a column of that name."
                    + " Give another name.",
                name, source));
      }
      more.add(new Field(name, DataType.int32(), false));
      dataset =
          with(dataset, rules -> rules.withMissing(rules.missing().withDefault(name, source)));
    }
    if (more.isEmpty()) {
      return dataset;
    }
    List<Field> fields = new ArrayList<>(all.fields());
    fields.removeIf(
        field -> given.source().rules().isRowIndex(field.name())); // it is added to any schema
    fields.addAll(more);
    return with(dataset, rules -> rules.withGiven(Schema.of(fields)));
  }

  /// Returns whether rows of files that lack a column get a null or a default.
  private static boolean fillsMissing(DatasetSettings dataset, String column) {
    MissingColumns missing = dataset.source().rules().missing();
    return missing.givesNulls() || missing.defaults().containsKey(column);
  }

  private static DatasetSettings with(DatasetSettings dataset, UnaryOperator<SchemaRules> change) {
    return dataset.with(source -> source.with(change.apply(source.rules())));
  }

  /// Returns the columns of all, each nullable if it is so in one of them.
  private static Schema nullable(List<DatasetSettings> same) {
    List<Field> fields = new ArrayList<>();
    for (Field field : same.getFirst().schema().fields()) {
      boolean isNullable =
          same.stream().anyMatch(each -> each.schema().find(field.name()).orElseThrow().nullable());
      fields.add(new Field(field.name(), field.type(), isNullable));
    }
    return Schema.of(fields);
  }
}
