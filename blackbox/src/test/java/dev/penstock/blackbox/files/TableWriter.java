package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Writes the files of a [Table] with a writer that is not ours: one per format under contract.
public interface TableWriter {
  /// Returns the extension of the format's files, with its dot.
  String extension();

  /// Writes one file.
  ///
  /// @param path where
  /// @param schema its columns
  /// @param groups its rows, in the groups that the file shall have
  /// @param layout chooses pages, codecs and what else does not change the rows
  void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException;

  /// Returns the types that flat columns of the format can have.
  default List<DataType> types() {
    return Table.TYPES.stream().filter(this::holds).toList();
  }

  /// Returns whether flat columns of the format can have a type.
  default boolean holds(DataType type) {
    return true;
  }

  /// Returns whether files say the types of their columns; else they are read in stated ones.
  default boolean saysTypes() {
    return true;
  }

  /// Returns whether files say where they end; others may end behind any record.
  default boolean saysEnd() {
    return true;
  }

  /// Returns how deep columns of the format may be nested.
  default int nesting() {
    return 3;
  }

  /// Returns whether names of columns may have dots.
  default boolean hasDotsInNames() {
    return true;
  }

  /// Returns whether the rows of [DeletedRowsFiles#isDeleted] are between those that count.
  default boolean hidesRows() {
    return false;
  }

  /// Returns whether datasets have a cache.
  default boolean isCached() {
    return false;
  }

  /// Returns whether the format has maps.
  default boolean hasMaps() {
    return true;
  }

  /// Returns the schema that files which were written with a schema have: a format may not say all
  /// of it.
  default Schema read(Schema schema) {
    return schema;
  }

  /// Writes all files of a table below a folder and returns them as a dataset with the table's
  /// schema and row groups, what has to be stated for that included.
  default StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    return open(write(folder, table, layout).toString(), table);
  }

  /// Returns files that were written as a dataset with the table's schema and row groups.
  ///
  /// @param location where they are
  default StructuredDataset open(String location, Table table) {
    return new StructuredDataset(location);
  }

  /// Writes all files of a table below a folder.
  ///
  /// @return the folder
  default Path write(Path folder, Table table, Random layout) throws IOException {
    for (Table.DataFile file : table.files()) {
      Path path = path(folder, file);
      Files.createDirectories(path.getParent());
      write(path, table.schema(), file.groups(), layout);
    }
    return folder;
  }

  /// Stops what reading the files needs.
  default void stop() {}

  /// Returns where a file of a table is written.
  default Path path(Path folder, Table.DataFile file) {
    return folder.resolve(file.name() + extension());
  }
}
