package dev.penstock.spi.catalog;

import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.FileDetails;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A data file as a catalog knows it.
///
/// @param entry its location and size
/// @param storage the store that holds it
/// @param format the format that reads it, with the columns' names in the table
/// @param constants column to the value of all rows of the file, whether or not the file has the
///   column: a value as [dev.penstock.schema.MissingColumns#withDefault] takes it, or empty for
///   null
/// @param details what else is known about it, for a `SplitStrategy`
/// @param live finds the rows that were not deleted; empty if none were
/// @param rows how many rows it has as the catalog states it, deleted ones included; empty if it
///   does not. A file of another number is an error
public record CatalogFile(
    FileEntry entry,
    Storage storage,
    FileFormat format,
    Map<String, Optional<Object>> constants,
    Optional<FileDetails> details,
    Optional<LiveRows> live,
    OptionalLong rows) {
  /// Copies the map.
  public CatalogFile {
    constants = Map.copyOf(constants);
  }
}
