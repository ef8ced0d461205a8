package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.table.Widening.Mismatch;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the one schema of many files.
///
/// Casts come first: the types that are joined are those after the casts. A column, or a part of a
/// struct, whose types cannot be joined is kept with its problem, which is reported only when the
/// column is chosen, so that the others can be read.
final class SchemaResolver {
  private final List<TableFile> files;
  private final SchemaRules rules;
  private final Names names;
  private final Partitions partitions;

  /// The first file of each different schema; the other files add nothing.
  private final List<TableFile> distinct;

  private final Map<String, Draft> drafts = new LinkedHashMap<>();

  private static final class Draft {
    private Field field;
    private final String from;

    /// Dotted name of the column or a part to the reason why its types cannot be joined.
    private final Map<String, Advice> problems = new LinkedHashMap<>();

    private Draft(Field field, String from) {
      this.field = field;
      this.from = from;
    }

    private void problem(Advice sentence) {
      problems.putIfAbsent(field.name(), sentence);
    }

    /// Returns whether no part of it can be read.
    private boolean isHopeless() {
      return problems.containsKey(field.name());
    }
  }

  SchemaResolver(List<TableFile> files, SchemaRules rules, Partitions partitions) {
    this.files = files;
    this.rules = rules;
    this.names = rules.names();
    this.partitions = partitions;
    Map<Schema, TableFile> firsts = new LinkedHashMap<>();
    files.stream()
        .filter(file -> !file.hasNoBytes())
        .forEach(file -> firsts.putIfAbsent(file.footer().schema(), file));
    this.distinct = List.copyOf(firsts.values());
  }

  Table table() throws SchemaMismatchException {
    start();
    distinct.forEach(this::join);
    distinct.forEach(this::requireAll);
    List<Table.Column> columns = new ArrayList<>();
    for (Draft draft : drafts.values()) {
      Field field = draft.field;
      Field settled = new Field(field.name(), settled(field.type()), field.nullable());
      columns.add(new Table.Column(settled, draft.problems));
    }
    columns.addAll(variantFields());
    partitions.columns().forEach(field -> columns.add(partition(field)));
    if (rules.rowIndex().isPresent()) {
      columns.add(rowIndex(rules.rowIndex().get(), columns));
    }
    rules
        .given()
        .ifPresent(given -> columns.sort(Comparator.comparingInt(column -> place(column, given))));
    Schema all = Schema.of(columns.stream().map(Table.Column::field).toList());
    Table table =
        new Table(
            TableFile.in(all, rules, partitions, files), columns, names, partitions, List.of());
    requireUsed(columns);
    return table;
  }

  /// Returns the columns that casts make of fields of variants.
  private List<Table.Column> variantFields() {
    Map<String, Table.Column> fields = new LinkedHashMap<>();
    for (CastRule cast : rules.casts()) {
      String path = cast.pattern();
      TableFile file =
          distinct.stream()
              .filter(each -> names.variantField(each.footer().schema(), path).isPresent())
              .findFirst()
              .orElse(null);
      if (file != null) {
        Field field = new Field(path, cast.type(), true);
        Map<String, Advice> problems =
            Casting.isPossible(new DataType.Variant(), cast.type())
                ? Map.of()
                : Map.of(
                    path,
                    Advice.of(
                        "Cannot cast '%s' to %s: it is a field of variants in %s. Choose a type"
                            + " that is not nested.",
                        path, cast.type(), place(file)));
        fields.put(names.key(path), new Table.Column(field, problems));
      }
    }
    fields.keySet().removeAll(drafts.keySet());
    return List.copyOf(fields.values());
  }

  private Table.Column rowIndex(String name, List<Table.Column> others)
      throws SchemaMismatchException {
    Schema all = Schema.of(others.stream().map(Table.Column::field).toList());
    if (names.find(all, name).isPresent()) {
      throw new SchemaMismatchException(
          Advice.of(
              "Cannot number rows in column '%s': there is a column of that name. Give %s another"
                  + " name.",
              name, Remedy.call("rowIndex")));
    }
    Field field = new Field(name, ColumnSource.RowNumbers.TYPE, false);
    try {
      DataType type = new Casting(rules, "the row index").applied(name, field.type());
      return new Table.Column(new Field(name, type, false), Map.of());
    } catch (SchemaMismatchException e) {
      return new Table.Column(field, Map.of(name, e.advice()));
    }
  }

  /// Returns a type with `int32` in place of the type null.
  private static DataType settled(DataType type) {
    return switch (type) {
      case DataType.Null _ -> DataType.int32();
      case DataType.List(DataType element, boolean nullable) ->
          new DataType.List(settled(element), nullable);
      case DataType.Map(DataType key, DataType value, boolean nullable) ->
          new DataType.Map(settled(key), settled(value), nullable);
      case DataType.Struct(List<Field> parts) ->
          new DataType.Struct(
              parts.stream()
                  .map(part -> new Field(part.name(), settled(part.type()), part.nullable()))
                  .toList());
      default -> type;
    };
  }

  /// Returns the place of a column in the given schema, or the place after all of its columns.
  private int place(Table.Column column, Schema given) {
    int index = names.indexOf(given, column.field().name());
    return index < 0 ? given.size() : index;
  }

  /// Adds the columns that are decided before files are compared.
  private void start() {
    if (rules.given().isPresent()) {
      for (Field field : rules.given().get().fields()) {
        draft(field, "the schema given");
      }
    } else if (rules.from() == SchemaFrom.FIRST) {
      TableFile first = distinct.getFirst();
      for (Field field : first.footer().schema().fields()) {
        draft(field, place(first));
      }
    }
  }

  private boolean grows() {
    return rules.given().isEmpty() && rules.from() == SchemaFrom.ALL;
  }

  private Draft draft(Field field, String place) {
    Draft draft = new Draft(field, place);
    if (partitions.has(field.name())) {
      return draft;
    }
    try {
      DataType type = new Casting(rules, place).applied(field.name(), field.type());
      draft.field = new Field(field.name(), type, field.nullable());
    } catch (SchemaMismatchException e) {
      draft.problem(e.advice());
    }
    drafts.putIfAbsent(names.key(field.name()), draft);
    return draft;
  }

  private void join(TableFile file) {
    Map<String, String> spelling = new LinkedHashMap<>();
    for (Field field : file.footer().schema().fields()) {
      String key = names.key(field.name());
      Draft draft = drafts.get(key);
      if (draft == null) {
        if (!grows() || partitions.has(field.name())) {
          continue;
        }
        draft = draft(field, place(file));
      }
      String before = spelling.put(key, field.name());
      List<String> twice =
          before == null
              ? names.ambiguous(field.type()).orElse(null)
              : List.of(before, field.name());
      if (twice != null) {
        draft.problem(ambiguous(draft, twice, file));
      }
      if (!draft.isHopeless()) {
        join(draft, field, file);
      }
    }
  }

  private void join(Draft draft, Field field, TableFile file) {
    String name = draft.field.name();
    try {
      DataType type = new Casting(rules, place(file)).applied(name, field.type());
      boolean nullable = draft.field.nullable() || field.nullable();
      Widening widening = new Widening(names, grows(), rules.missing().givesNulls());
      DataType joined =
          widening.join(
              name,
              draft.field.type(),
              type,
              found -> draft.problems.putIfAbsent(found.path(), mismatch(draft, found, file)));
      draft.field = new Field(name, joined, nullable);
    } catch (SchemaMismatchException e) {
      draft.problem(e.advice());
    }
  }

  private static Advice ambiguous(Draft draft, List<String> two, TableFile file) {
    return Advice.of(
        "Cannot read column '%s' without regard to case: %s has '%s' and '%s'. Read with"
            + " %s, or rename one.",
        draft.field.name(),
        place(file),
        two.get(0),
        two.get(1),
        Remedy.call("caseSensitive", "true"));
  }

  private Advice mismatch(Draft draft, Mismatch mismatch, TableFile file) {
    DataType left = mismatch.table();
    DataType right = mismatch.file();
    if (left == null || right == null) {
      return left == null
          ? missing(mismatch.path(), place(file), draft.from)
          : missing(mismatch.path(), draft.from, place(file));
    }
    String place = draft.from;
    if (rules.given().isEmpty()) {
      // The joined type may not come from the first file: name a file whose own type disagrees.
      for (TableFile other : distinct) {
        DataType type = typeOf(mismatch.path(), other);
        if (type != null && Widening.wider(type, right) == null) {
          left = type;
          place = place(other);
          break;
        }
      }
    }
    return Advice.of(
        "Cannot read column '%s' as one column: it is %s in %s but %s in %s. Cast it to one type"
            + " with %s, read other columns, leave one of the files out, or rewrite it.",
        mismatch.path(), left, place, right, place(file), Remedy.CAST);
  }

  private @Nullable DataType typeOf(String path, TableFile file) {
    Field field = names.find(file.footer().schema(), path).orElse(null);
    try {
      return field == null ? null : new Casting(rules, place(file)).applied(path, field.type());
    } catch (SchemaMismatchException _) {
      return null;
    }
  }

  private static Advice missing(String column, String has, String lacks) {
    return Advice.of(
        "Cannot read column '%s' as one column: %s has it but %s has not. Allow missing columns"
            + " with %s, leave the column out of %s, leave one of the files out, or rewrite it.",
        column, has, lacks, Remedy.MISSING_COLUMNS, Remedy.name("columns"));
  }

  private void requireAll(TableFile file) {
    for (Draft draft : drafts.values()) {
      String name = draft.field.name();
      if (draft.isHopeless() || names.find(file.footer().schema(), name).isPresent()) {
        continue;
      }
      Object value = rules.defaultOf(name).orElse(null);
      if (value != null) {
        Advice problem = unusable(draft.field, value);
        if (problem != null) {
          draft.problem(problem);
        }
      } else if (rules.missing().givesNulls()) {
        draft.field = new Field(name, draft.field.type(), true);
      } else {
        draft.problem(missing(name, draft.from, place(file)));
      }
    }
  }

  private static @Nullable Advice unusable(Field field, Object value) {
    try {
      Constants.of(field.type(), value);
      return null;
    } catch (IllegalArgumentException e) {
      return Advice.of(
          "Cannot use the default of column '%s': %s. Give one that is.",
          field.name(), e.getMessage());
    }
  }

  private Table.Column partition(Field field) {
    String name = field.name();
    Field changed = field;
    for (TableFile file : files) {
      if (partitions.isGiven(file.info().partition(), name)) {
        continue;
      }
      Object value = rules.defaultOf(name).orElse(null);
      Advice problem = null;
      if (value != null) {
        problem = unusable(field, value);
      } else if (rules.missing().givesNulls()) {
        changed = new Field(name, field.type(), true);
      } else {
        TableFile has =
            files.stream()
                .filter(each -> partitions.isGiven(each.info().partition(), name))
                .findFirst()
                .orElseThrow();
        problem =
            Advice.of(
                "Cannot read partition column '%s': %s is in a folder '%s=...' but %s is not. Allow"
                    + " missing columns with %s, leave the column out of %s, or leave one of"
                    + " the files out.",
                name,
                place(has),
                name,
                place(file),
                Remedy.MISSING_COLUMNS,
                Remedy.name("columns"));
      }
      if (problem != null) {
        return new Table.Column(field, Map.of(name, problem));
      }
    }
    return new Table.Column(changed, Map.of());
  }

  /// Checks that rules name existing columns: others are probably misspelled.
  private void requireUsed(List<Table.Column> columns) throws SchemaMismatchException {
    List<Field> fields = columns.stream().map(Table.Column::field).toList();
    List<String> all = fields.stream().map(Field::name).toList();
    for (CastRule cast : rules.casts()) {
      if (fields.stream().noneMatch(field -> matches(cast, field.name(), field.type()))) {
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot cast column '%s': no such column in %s. %s",
                cast.pattern(), firstPlace(), Choices.listed("Columns", cast.pattern(), all)));
      }
    }
    for (String column : rules.missing().defaults().keySet()) {
      if (names.indexOf(fields, column) < 0) {
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot use a default for column '%s': no such column in %s. %s",
                column, firstPlace(), Choices.listed("Columns", column, all)));
      }
    }
  }

  private boolean matches(CastRule cast, String path, DataType type) {
    if (cast.matches(path, names)) {
      return true;
    }
    return switch (type) {
      case DataType.Struct(List<Field> parts) ->
          parts.stream().anyMatch(part -> matches(cast, path + "." + part.name(), part.type()));
      case DataType.List(DataType element, boolean _) -> matches(cast, path, element);
      default -> false;
    };
  }

  private String firstPlace() {
    return files.isEmpty() ? "the table" : place(files.getFirst());
  }

  private static String place(TableFile file) {
    return file.info().location().text();
  }
}
