package dev.penstock.internal.table;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Choices;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All files of a dataset under one schema, see [SchemaResolver].
///
/// Immutable; share it freely among threads.
public final class Table {
  private final List<TableFile> files;
  private final List<Column> columns;
  private final List<Column> faulty; // those that cannot be one
  private final Schema all;
  private final Names names;
  private final Partitions partitions;
  private final List<PrunedFile> prunedFiles;

  /// A column, or why there is none.
  ///
  /// @param field the column; what has a problem is of the type that one of the files has
  /// @param problems by the dotted names of the column and its parts: why the files' are not one,
  ///   as sentences
  record Column(Field field, Map<String, String> problems) {}

  Table(List<TableFile> files, List<Column> columns, Names names, Partitions partitions) {
    this(files, columns, names, partitions, List.of());
  }

  private Table(
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

  /// Joins files that are already read.
  ///
  /// @param files the files in path order, at least one
  /// @param rules how they become one table
  /// @param partitions the columns that their folders give
  /// @return the table
  /// @throws MalformedFileException if no file has a byte
  /// @throws SchemaMismatchException if the rules name a column that is not there, or a default
  ///   that is no value of its column. Columns that cannot be one are told when they are chosen
  public static Table of(List<TableFile> files, SchemaRules rules, Partitions partitions)
      throws SchemaMismatchException, MalformedFileException {
    if (!files.isEmpty() && files.stream().allMatch(file -> file.metadata() instanceof NoBytes)) {
      throw ((NoBytes) files.getFirst().metadata()).alone();
    }
    return new SchemaResolver(TextAgreement.agreed(files, rules), rules, partitions).table();
  }

  /// Says which files were left out before they were opened.
  ///
  /// @param left the files
  /// @return the changed table
  public Table without(List<PrunedFile> left) {
    return new Table(files, columns, names, partitions, left);
  }

  /// Returns which files were left out before they were opened.
  ///
  /// @return in path order
  public List<PrunedFile> prunedFiles() {
    return prunedFiles;
  }

  /// Returns the files.
  ///
  /// @return in path order, at least one
  public List<TableFile> files() {
    return files;
  }

  /// Returns all columns: those of the files, then those of the folders.
  ///
  /// @return the schema
  /// @throws SchemaMismatchException if the files' columns of some name cannot be one
  public Schema schema() throws SchemaMismatchException {
    if (!faulty.isEmpty()) {
      requireSound(faulty.getFirst().field());
    }
    return all;
  }

  /// Returns all columns, also those that cannot be one: choose with [#select] what is read.
  ///
  /// @return the schema, with the type of one of the files where they do not agree
  public Schema everyColumn() {
    return all;
  }

  /// Returns the columns that folders give.
  ///
  /// @return the last ones of [#schema()]
  public Partitions partitions() {
    return partitions;
  }

  /// Returns what strategies see of the files.
  ///
  /// @return the infos in path order
  public List<DataFileInfo> infos() {
    return files.stream().map(TableFile::info).toList();
  }

  /// Chooses columns.
  ///
  /// @param wanted the wanted columns, in the wanted order, as [Schema#find] takes them
  /// @return their schema, under the names that were asked for
  /// @throws SchemaMismatchException if one is not there, the message lists those that are; or if
  ///   the files' columns cannot be one
  public Schema select(List<String> wanted) throws SchemaMismatchException {
    List<Field> fields = new ArrayList<>();
    for (String name : wanted) {
      Field field = names.find(all, name).orElse(null);
      if (field == null) {
        throw new SchemaMismatchException(
            "Cannot read column '"
                + name
                + "': no such column in "
                + (files.isEmpty() ? "the table" : location(files.getFirst()))
                + ". "
                + Choices.listed("Columns", name, all.names())
                + parts(name));
      }
      requireSound(field);
      fields.add(new Field(name, field.type(), field.nullable()));
    }
    return Schema.of(fields);
  }

  /// Checks that the files' columns of a name are one.
  ///
  /// @param chosen a column or a part of one
  private void requireSound(Field chosen) throws SchemaMismatchException {
    for (Column column : faulty) {
      for (Map.Entry<String, String> problem : column.problems().entrySet()) {
        if (isWithin(problem.getKey(), chosen.name())
            || isWithin(chosen.name(), problem.getKey())) {
          throw new SchemaMismatchException(problem.getValue());
        }
      }
    }
  }

  private static boolean isWithin(String path, String whole) {
    return path.equals(whole) || path.startsWith(whole + ".");
  }

  /// Lists what the longest path that `name` starts with leads to.
  private String parts(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return "";
    }
    String path = name.substring(0, dot);
    String part = name.substring(dot + 1);
    return names
        .find(all, path)
        .filter(field -> field.type() instanceof DataType.Struct)
        .map(
            field -> " " + Choices.listed("The parts of '" + path + "'", part, names(field.type())))
        .orElseGet(() -> parts(path));
  }

  private static List<String> names(DataType type) {
    return type instanceof DataType.Struct(List<Field> fields)
        ? fields.stream().map(Field::name).toList()
        : List.of();
  }

  private static Location location(TableFile file) {
    return file.info().location();
  }

  /// Checks that columns can be decoded.
  ///
  /// @param columns a selection of this table's columns
  /// @throws MalformedFileException if one is of a type that cannot be read
  public void requireReadable(Schema columns) throws MalformedFileException {
    if (files.isEmpty()) {
      return;
    }
    for (Field field : columns.fields()) {
      if (!ReadRequest.isReadable(field.type())) {
        throw new MalformedFileException(
            location(files.getFirst()),
            -1,
            "",
            "Unsupported type: column '"
                + field.name()
                + "' is "
                + field.type()
                + " but no column of that type can be read. Choose other columns.",
            null);
      }
    }
  }

  /// Returns how many values a row of a column has, as the footers of all files say it.
  ///
  /// @param column a column as [Schema#find] takes it
  /// @return a guess for making room
  public ValuesPerRow valuesPerRow(String column) {
    return ValuesPerRow.of(files, column);
  }

  /// Returns the files by where they are.
  ///
  /// @return location to file
  public Map<Location, TableFile> byLocation() {
    Map<Location, TableFile> byLocation = new HashMap<>();
    files.forEach(file -> byLocation.put(location(file), file));
    return byLocation;
  }
}
