package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.tck.FormatWriter;
import dev.penstock.tck.Table;
import java.util.List;
import java.util.ServiceLoader;

/// Writes the files of a [Table] with a writer that is not ours: one per format under contract.
public interface TableWriter extends FormatWriter {
  @Override
  String extension();

  @Override
  default FileFormat format() {
    return ServiceLoader.load(FileFormat.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(format -> format.extensions().contains(extension().substring(1)))
        .findFirst()
        .orElseThrow();
  }

  /// The format is found by the extension, as users have it.
  @Override
  default StructuredDataset open(String location, Table table) {
    return new StructuredDataset(location);
  }

  @Override
  default List<DataType> types() {
    return Table.TYPES.stream().filter(this::holds).toList();
  }

  /// Returns whether flat columns of the format can have a type.
  default boolean holds(DataType type) {
    return true;
  }

  @Override
  default int nesting() {
    return 3;
  }

  /// Returns whether files say the types of their columns; else they are read in stated ones.
  default boolean saysTypes() {
    return true;
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

  /// Stops what reading the files needs.
  default void stop() {}
}
