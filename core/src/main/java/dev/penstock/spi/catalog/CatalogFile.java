package dev.penstock.spi.catalog;

import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.FileDetails;
import java.util.Map;
import java.util.Optional;

/// A data file as a catalog knows it.
///
/// @param entry where it is and its size
/// @param storage the store that has it
/// @param format how it is read: gives the columns under the names that they have in the table
/// @param constants column to what all rows of the file have in it, whether or not the file has
///   such a column: a value as [dev.penstock.schema.MissingColumns#withDefault] takes it, or empty
///   for null
/// @param details what else is known of it, for a `SplitStrategy`
/// @param live finds the rows that count; empty where all do
public record CatalogFile(
    FileEntry entry,
    Storage storage,
    FileFormat format,
    Map<String, Optional<Object>> constants,
    Optional<FileDetails> details,
    Optional<LiveRows> live) {
  /// Copies the map.
  public CatalogFile {
    constants = Map.copyOf(constants);
  }
}
