package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All files of a dataset under one schema, see [SchemaResolver]. Immutable; share it freely among
/// threads.
public final class Table {
  private final List<TableFile> files;
  private final List<Column> columns;
  private final List<Column> faulty; // those whose types cannot be joined
  private final Schema all;
  private final Names names;
  private final Partitions partitions;
  private final List<PrunedFile> prunedFiles;

  /// A column, and why it cannot be read.
  ///
  /// @param field the column; a part with a problem has its type in one of the files
  /// @param problems dotted name of the column or a part to the reason why its types cannot be
  ///   joined, as a sentence
  record Column(Field field, Map<String, Advice> problems) {}

  Table(
      List<TableFile> files,
      List<Column> columns,
      Names names,
      Partitions partitions,
      List<PrunedFile> prunedFiles) {
    this.prunedFiles = List.copyOf(prunedFiles);
    this.files = List.copyOf(files);
    this.columns = List.copyOf(columns);
    this.faulty = columns.stream().filter(column -> !column.problems().isEmpty()).toList();
    this.all = Schema.of(columns.stream().map(Column::field).toList());
    this.names = names;
    this.partitions = partitions;
  }

  /// Joins files that are already read, in path order.
  ///
  /// @throws MalformedFileException if all files are empty
  /// @throws IOException also if the footer of a text file that was planned cannot be read
  /// @throws SchemaMismatchException if the rules name a column that does not exist, or a default
  ///   that is not a value of its column. Columns whose types cannot be joined are reported when
  ///   they are chosen
  public static Table of(List<TableFile> files, SchemaRules rules, Partitions partitions)
      throws IOException {
    if (!files.isEmpty() && files.stream().allMatch(TableFile::hasNoBytes)) {
      throw files.getFirst().alone();
    }
    return new SchemaResolver(TextAgreement.agreed(files, rules), rules, partitions).table();
  }

  public Table without(List<PrunedFile> left) {
    return new Table(files, columns, names, partitions, left);
  }

  public List<PrunedFile> prunedFiles() {
    return prunedFiles;
  }

  /// Returns the files in path order, at least one.
  public List<TableFile> files() {
    return files;
  }

  /// Returns all columns: those of the files, then those of the folders.
  ///
  /// @throws SchemaMismatchException if the types of some column cannot be joined
  public Schema schema() throws SchemaMismatchException {
    if (!faulty.isEmpty()) {
      requireSound(faulty.getFirst().field());
    }
    return all;
  }

  /// Returns all columns, also those whose types cannot be joined, with the type of one file;
  /// choose the columns to read with [#select].
  public Schema everyColumn() {
    return all;
  }

  /// Returns the last columns of [#schema()], those of folders.
  public Partitions partitions() {
    return partitions;
  }

  public List<DataFileInfo> infos() {
    return files.stream().map(TableFile::info).toList();
  }

  /// Returns the schema of wanted columns in that order, under the requested names, as
  /// [Schema#find] takes them.
  ///
  /// @throws SchemaMismatchException if a column does not exist (the message lists those that do),
  ///   or its types cannot be joined
  public Schema select(List<String> wanted) throws SchemaMismatchException {
    List<Field> fields = new ArrayList<>();
    for (String name : wanted) {
      Field field = names.find(all, name).orElse(null);
      if (field == null) {
        Optional<Advice> folder = inFolder(name);
        if (folder.isPresent()) {
          throw new SchemaMismatchException(folder.get());
        }
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot read column '%s': no such column in %s. %s%s",
                name,
                files.isEmpty() ? "the table" : files.getFirst().location(),
                Choices.listed("Columns", name, all.names()),
                parts(name)));
      }
      requireSound(field);
      fields.add(new Field(name, field.type(), field.nullable()));
    }
    return Schema.of(fields);
  }

  /// Throws [IllegalArgumentException] for a column that is only in the name of a folder.
  public void requireNoFolder(String name) {
    inFolder(name)
        .ifPresent(advice -> {
          throw Advice.argumentError("%s", advice);
        });
  }

  /// Returns the error of a column that is only in the name of a folder; empty for other columns.
  private Optional<Advice> inFolder(String name) {
    if (files.isEmpty() || names.find(all, name).isPresent()) {
      return Optional.empty();
    }
    String path = "/" + files.getFirst().location().text();
    int start = path.indexOf("/" + name + "=") + 1;
    int end = path.indexOf('/', start);
    return start == 0 || end < 0
        ? Optional.empty()
        : Optional.of(
            Advice.of(
                "Cannot read column '%s': the files do not have it, but a folder is named '%s'. Read"
                    + " a folder above it with %s.",
                name,
                path.substring(start, end),
                Remedy.of("partitioning", "hive", "hivePartitions()")));
  }

  /// Checks that the types of a column, or of a part of one, were joined.
  private void requireSound(Field chosen) throws SchemaMismatchException {
    for (Column column : faulty) {
      for (Map.Entry<String, Advice> problem : column.problems().entrySet()) {
        String path = Names.dotted(chosen.name());
        if (isWithin(problem.getKey(), path) || isWithin(path, problem.getKey())) {
          throw new SchemaMismatchException(problem.getValue());
        }
      }
    }
  }

  static boolean isWithin(String path, String whole) {
    return path.equals(whole) || path.startsWith(whole + ".");
  }

  /// Lists the parts of the column at the longest existing path that `name` starts with, or names
  /// the path that leads into lists.
  private String parts(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return "";
    }
    String path = name.substring(0, dot);
    String part = name.substring(dot + 1);
    if (names.find(all, path + "[]." + part).isPresent()) {
      return " The field of the structs in lists is '" + path + "[]." + part + "'.";
    }
    List<Field> fields = names.parts(all, path);
    if (fields.isEmpty()) {
      return parts(path);
    }
    List<String> parts = fields.stream().map(Field::name).toList();
    return " " + Choices.listed("The parts of '" + path + "'", part, parts);
  }

  /// Throws [MalformedFileException] if a chosen column has a type that cannot be read.
  public void requireReadable(Schema columns) throws MalformedFileException {
    if (files.isEmpty()) {
      return;
    }
    for (Field field : columns.fields()) {
      if (!ReadRequest.isReadable(field.type())) {
        throw new MalformedFileException(
            files.getFirst().location(),
            -1,
            "",
            Advice.of(
                "Unsupported type: column '%s' is %s, which cannot be read. Leave it out of %s, or"
                    + " write the file anew.",
                field.name(), field.type(), Remedy.name("columns")),
            null);
      }
    }
  }

  /// Returns how many values a row of a column has, according to the footers.
  public ValuesPerRow valuesPerRow(String column) {
    return ValuesPerRow.of(files, column);
  }

  public static Table joined(List<Table> tables, Schema columns) {
    return new Table(
        tables.stream().flatMap(table -> table.files.stream()).toList(),
        columns.fields().stream().map(field -> new Column(field, Map.of())).toList(),
        new Names(true),
        Partitions.NONE,
        tables.stream().flatMap(table -> table.prunedFiles.stream()).toList());
  }

  /// Returns the narrowest type that holds all values of two, by the rule for files of a table, if
  /// there is one.
  public static Optional<DataType> joined(DataType one, DataType other) {
    List<Widening.Mismatch> mismatches = new ArrayList<>();
    DataType joined =
        new Widening(new Names(true), true, false).join("", one, other, mismatches::add);
    return mismatches.isEmpty() ? Optional.of(joined) : Optional.empty();
  }

  public Map<Location, TableFile> byLocation() {
    Map<Location, TableFile> byLocation = new HashMap<>();
    files.forEach(file -> byLocation.put(file.location(), file));
    return byLocation;
  }
}
