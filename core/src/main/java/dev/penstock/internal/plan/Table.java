package dev.penstock.internal.plan;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All files of a dataset under one schema.
///
/// The columns and their order are the first file's; every other file must have the same columns
/// with the same types, in any order. A column, or a value nested in it, is nullable if it is in
/// any file.
///
/// @param files the files in path order
/// @param schema the columns
public record Table(List<TableFile> files, Schema schema) {
  /// Joins the files.
  ///
  /// @param files the files in path order, at least one
  /// @return the table
  /// @throws SchemaMismatchException if the columns of two files differ
  public static Table of(List<TableFile> files) throws SchemaMismatchException {
    TableFile first = files.getFirst();
    List<Field> fields = new ArrayList<>(first.metadata().schema().fields());
    for (TableFile file : files) {
      requireSameNames(first, file);
      for (int i = 0; i < fields.size(); i++) {
        fields.set(i, joined(fields.get(i), first, file));
      }
    }
    return new Table(List.copyOf(files), Schema.of(fields));
  }

  private static void requireSameNames(TableFile first, TableFile file)
      throws SchemaMismatchException {
    Schema expected = first.metadata().schema();
    Schema actual = file.metadata().schema();
    for (String name : expected.names()) {
      if (actual.indexOf(name) < 0) {
        throw missing(name, first, file);
      }
    }
    for (String name : actual.names()) {
      if (expected.indexOf(name) < 0) {
        throw missing(name, file, first);
      }
    }
  }

  private static Field joined(Field field, TableFile first, TableFile file)
      throws SchemaMismatchException {
    Schema schema = file.metadata().schema();
    Field other = schema.fields().get(schema.indexOf(field.name()));
    return field
        .joined(other)
        .orElseThrow(() ->
            new SchemaMismatchException(
                "Cannot read column '"
                    + field.name()
                    + "' as one column: it is "
                    + field.type()
                    + " in "
                    + location(first)
                    + " but "
                    + other.type()
                    + " in "
                    + location(file)
                    + ". Leave one of the files out, or rewrite it."));
  }

  private static SchemaMismatchException missing(String column, TableFile has, TableFile lacks) {
    return new SchemaMismatchException(
        "Cannot read column '"
            + column
            + "' as one column: "
            + location(has)
            + " has it but "
            + location(lacks)
            + " has not. Leave one of the files out, or rewrite it.");
  }

  private static Location location(TableFile file) {
    return file.info().location();
  }

  /// Returns what strategies see of the files.
  ///
  /// @return the infos in path order
  public List<DataFileInfo> infos() {
    return files.stream().map(TableFile::info).toList();
  }

  /// Chooses columns.
  ///
  /// @param names the wanted columns, in the wanted order, as [Schema#find] takes them
  /// @return their schema
  /// @throws SchemaMismatchException if one is not there; the message lists those that are
  public Schema select(List<String> names) throws SchemaMismatchException {
    List<Field> fields = new ArrayList<>();
    for (String name : names) {
      Field field = schema.find(name).orElse(null);
      if (field == null) {
        throw new SchemaMismatchException(
            "Cannot read column '"
                + name
                + "': no such column in "
                + location(files.getFirst())
                + ". Columns are: "
                + schema.names()
                + parts(name)
                + ".");
      }
      fields.add(field);
    }
    return Schema.of(fields);
  }

  /// Lists what the longest path that `name` starts with leads to.
  private String parts(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return "";
    }
    String path = name.substring(0, dot);
    return schema
        .find(path)
        .filter(field -> field.type() instanceof DataType.Struct)
        .map(field -> "; the parts of '" + path + "' are: " + names(field.type()))
        .orElseGet(() -> parts(path));
  }

  private static List<String> names(DataType type) {
    return type instanceof DataType.Struct(List<Field> fields)
        ? fields.stream().map(Field::name).toList()
        : List.of();
  }

  /// Checks that columns can be decoded.
  ///
  /// @param columns a selection of this table's columns
  /// @throws MalformedFileException if one is of a type that cannot be read
  public void requireReadable(Schema columns) throws MalformedFileException {
    for (Field field : columns.fields()) {
      if (!isReadable(field.type())) {
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

  private static boolean isReadable(DataType type) {
    return switch (type) {
      case DataType.Unsupported _ -> false;
      case DataType.List(DataType element, boolean _) -> isReadable(element);
      case DataType.Struct(List<Field> fields) ->
          fields.stream().allMatch(field -> isReadable(field.type()));
      case DataType.Map(DataType key, DataType value, boolean _) ->
          isReadable(key) && isReadable(value);
      default -> true;
    };
  }

  /// Returns how many values a row of a column has, as the footers of all files say it.
  ///
  /// @param column a column as [Schema#find] takes it
  /// @return a guess for making room
  public ValuesPerRow valuesPerRow(String column) {
    return ValuesPerRow.of(files, column);
  }

  Map<Location, TableFile> byLocation() {
    Map<Location, TableFile> byLocation = new HashMap<>();
    files.forEach(file -> byLocation.put(location(file), file));
    return byLocation;
  }
}
