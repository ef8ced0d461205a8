package dev.penstock.tck;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// A format under contract, a writer of its files, and what these can hold.
///
/// The writer should share no code with the format's reader: a mistake in both is not found.
public interface FormatWriter {
  /// {@return the format under contract}
  FileFormat format();

  /// {@return the types that flat columns of the format can have, at least one}
  List<DataType> types();

  /// Writes one file.
  ///
  /// @param path where
  /// @param schema its columns
  /// @param groups its rows, in the row groups that the file shall have; a format without row
  ///   groups writes them one after another. Values are those of [Values], null for a null
  /// @param layout chooses whatever does not change the rows, such as a codec
  /// @throws IOException if it cannot be written
  void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException;

  /// {@return the extension of the files that are written, with its dot}
  default String extension() {
    return "." + format().extensions().getFirst();
  }

  /// {@return whether columns can have nulls; true by default}
  default boolean hasNulls() {
    return true;
  }

  /// {@return how deep columns may be nested; 0, the default, for flat columns only}
  default int nesting() {
    return 0;
  }

  /// {@return whether nested columns may be maps; true by default}
  default boolean hasMaps() {
    return true;
  }

  /// {@return whether a file that was cut is noticed; true by default} A text format may take what
  /// is left for a whole file.
  default boolean saysEnd() {
    return true;
  }

  /// {@return the schema of files that were written with a schema, of which the format may not say
  /// all; the same by default}
  ///
  /// @param schema what was passed to [#write(Path, Schema, List, Random)]
  default Schema read(Schema schema) {
    return schema;
  }

  /// {@return files that were written, as a dataset with the table's schema} A format whose files
  /// do not say their types states them here.
  ///
  /// @param location where they are
  /// @param table what is in them
  default StructuredDataset open(String location, Table table) {
    return new StructuredDataset(location).format(format());
  }

  /// {@return the dataset of a table whose files it writes}
  ///
  /// @param folder where
  /// @param table the table
  /// @param layout as in [#write(Path, Schema, List, Random)]
  /// @throws IOException if it cannot be written
  default StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    return open(write(folder, table, layout).toString(), table);
  }

  /// Writes all files of a table.
  ///
  /// @param folder where
  /// @param table the table
  /// @param layout as in [#write(Path, Schema, List, Random)]
  /// @return the folder
  /// @throws IOException if it cannot be written
  default Path write(Path folder, Table table, Random layout) throws IOException {
    for (Table.DataFile file : table.files()) {
      Path path = path(folder, file);
      Files.createDirectories(path.getParent());
      write(path, table.schema(), file.groups(), layout);
    }
    return folder;
  }

  /// {@return where a file of a table is written}
  ///
  /// @param folder the table's folder
  /// @param file the file
  default Path path(Path folder, Table.DataFile file) {
    return folder.resolve(file.name() + extension());
  }
}
