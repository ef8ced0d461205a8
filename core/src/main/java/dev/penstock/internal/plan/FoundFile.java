package dev.penstock.internal.plan;

import dev.penstock.format.FileFormat;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.Storage;
import java.util.List;
import java.util.Map;

/// A data file that was listed, its footer not read yet.
///
/// @param entry where it is and its size
/// @param storage the store that has it
/// @param format what it is written in
/// @param partition what its folders say of all its rows, outermost first; empty unless folders are
///   read as Hive partitions
public record FoundFile(
    FileEntry entry, Storage storage, FileFormat format, List<PartitionValue> partition) {
  /// Returns the file with options for its format.
  ///
  /// @param options option to value; may be empty
  /// @return the changed file
  /// @throws IllegalArgumentException if the format has no such options
  public FoundFile with(Map<String, String> options) {
    return options.isEmpty()
        ? this
        : new FoundFile(entry, storage, format.withOptions(options), partition);
  }
}
