package dev.penstock.blackbox;

import dev.penstock.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Writes the files of a [Table] with a writer that is not ours: one per format under contract.
interface TableWriter {
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

  /// Returns where a file of a table is written.
  default Path path(Path folder, Table.DataFile file) {
    return folder.resolve(file.name() + extension());
  }
}
