package dev.penstock.split;

import dev.penstock.format.RowGroup;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Optional;

/// One data file as the planner knows it, before a row is read.
///
/// Immutable; two infos are the same file when all of it is equal.
///
/// @param location where the file is
/// @param bytes its size in bytes
/// @param rowGroups the runs of rows that are best not cut, in file order
/// @param partition what the file's folders say of all its rows, outermost first; empty unless
///   folders are read as Hive partitions
/// @param details what the catalog of its table knows beyond this; empty for files in folders
public record DataFileInfo(
    Location location,
    long bytes,
    List<RowGroup> rowGroups,
    List<PartitionValue> partition,
    Optional<FileDetails> details) {
  /// Copies the lists.
  public DataFileInfo {
    rowGroups = List.copyOf(rowGroups);
    partition = List.copyOf(partition);
  }

  /// Makes the info of a file in folders, without partition values.
  ///
  /// @param location where the file is
  /// @param bytes its size in bytes
  /// @param rowGroups the runs of rows that are best not cut, in file order
  public DataFileInfo(Location location, long bytes, List<RowGroup> rowGroups) {
    this(location, bytes, rowGroups, List.of(), Optional.empty());
  }

  /// Returns the rows of the file.
  ///
  /// @return the sum over [#rowGroups()]
  public long rows() {
    long rows = 0;
    for (RowGroup group : rowGroups) {
      rows += group.rowCount();
    }
    return rows;
  }
}
