package dev.penstock.split;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Optional;

/// One data file as the planner knows it, before a row is read.
///
/// Immutable; two infos are equal if all parts are.
///
/// @param location where the file is
/// @param bytes its size in bytes
/// @param rowGroups the runs of rows that should not be cut, in file order
/// @param partition the partition values from the file's folders, outermost first; empty unless
///   folders are read as Hive partitions
/// @param details what else the table's catalog knows; empty for files in folders
public record DataFileInfo(
    Location location,
    long bytes,
    List<RowGroup> rowGroups,
    List<PartitionValue> partition,
    Optional<FileDetails> details) {
  /// Copies the lists.
  public DataFileInfo {
    rowGroups = RowGroups.of(rowGroups);
    partition = List.copyOf(partition);
  }

  /// Makes the info of a file in folders, without partition values.
  ///
  /// @param location where the file is
  /// @param bytes its size in bytes
  /// @param rowGroups the runs of rows that should not be cut, in file order
  public DataFileInfo(Location location, long bytes, List<RowGroup> rowGroups) {
    this(location, bytes, rowGroups, List.of(), Optional.empty());
  }

  /// {@return the rows of the file, the sum over [#rowGroups()]}
  public long rows() {
    long rows = 0;
    for (RowGroup group : rowGroups) {
      rows += group.rowCount();
    }
    return rows;
  }

  @Override
  public String toString() {
    return Sentence.of(
        "%s: %s rows in %s row groups, %s%s",
        location,
        rows(),
        rowGroups.size(),
        new ByteSize(bytes),
        partition.isEmpty() ? "" : " " + partition);
  }
}
