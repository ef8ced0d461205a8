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
/// with the same types, in any order. A column is nullable if it is in any file.
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
    Schema schema = first.metadata().schema();
    boolean[] nullable = new boolean[schema.size()];
    for (TableFile file : files) {
      requireSameColumns(first, file);
      for (int i = 0; i < nullable.length; i++) {
        Field field = schema.fields().get(i);
        nullable[i] |= file.metadata().schema().find(field.name()).orElseThrow().nullable();
      }
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < nullable.length; i++) {
      Field field = schema.fields().get(i);
      fields.add(new Field(field.name(), field.type(), nullable[i]));
    }
    return new Table(List.copyOf(files), Schema.of(fields));
  }

  private static void requireSameColumns(TableFile first, TableFile file)
      throws SchemaMismatchException {
    Schema expected = first.metadata().schema();
    Schema actual = file.metadata().schema();
    for (Field field : expected.fields()) {
      Field other = actual.find(field.name()).orElse(null);
      if (other == null) {
        throw missing(field.name(), first, file);
      }
      if (!other.type().equals(field.type())) {
        throw new SchemaMismatchException(
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
                + ". Leave one of the files out, or rewrite it.");
      }
    }
    for (Field field : actual.fields()) {
      if (expected.find(field.name()).isEmpty()) {
        throw missing(field.name(), file, first);
      }
    }
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
  /// @param names the wanted columns, in the wanted order
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
                + ".");
      }
      fields.add(field);
    }
    return Schema.of(fields);
  }

  /// Checks that columns can be decoded.
  ///
  /// @param columns a selection of this table's columns
  /// @throws MalformedFileException if one is of a type that cannot be read
  public void requireReadable(Schema columns) throws MalformedFileException {
    for (Field field : columns.fields()) {
      if (field.type() instanceof DataType.Unsupported || field.type().isNested()) {
        throw new MalformedFileException(
            location(files.getFirst()),
            -1,
            "",
            "Unsupported type: column '"
                + field.name()
                + "' is "
                + field.type()
                + " but only flat columns can be read. Choose other columns.",
            null);
      }
    }
  }

  Map<Location, TableFile> byLocation() {
    Map<Location, TableFile> byLocation = new HashMap<>();
    files.forEach(file -> byLocation.put(location(file), file));
    return byLocation;
  }
}
