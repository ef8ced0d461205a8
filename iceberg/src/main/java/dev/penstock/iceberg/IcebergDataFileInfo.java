package dev.penstock.iceberg;

import dev.penstock.split.FileDetails;
import dev.penstock.split.PartitionValue;
import java.util.List;

/// What a table knows about a data file, for a [dev.penstock.split.SplitStrategy]: found in
/// [dev.penstock.split.DataFileInfo#details()].
///
/// @param path the file's path in the table's metadata
/// @param snapshotId the snapshot that is read
/// @param sequenceNumber the age of the file's rows: later rows have higher numbers; 0 in tables of
///   format version 1
/// @param specId the partition spec that the file was written with
/// @param partition the file's partition, as texts: `day(ts)` is `ts_day=2001-01-31`; empty if the
///   table is not partitioned
/// @param deletes the delete files that may apply to its rows
public record IcebergDataFileInfo(
    String path,
    long snapshotId,
    long sequenceNumber,
    int specId,
    List<PartitionValue> partition,
    List<Delete> deletes)
    implements FileDetails {
  /// Copies the lists.
  public IcebergDataFileInfo {
    partition = List.copyOf(partition);
    deletes = List.copyOf(deletes);
  }

  /// A delete file.
  ///
  /// @param kind how it names rows
  /// @param path the file's path in the table's metadata
  /// @param records its number of entries, for all its data files
  public record Delete(Kind kind, String path, long records) {}

  /// How a delete file names rows.
  public enum Kind {
    /// By file and position.
    POSITIONS,
    /// By values of columns.
    EQUALITY,
    /// By positions in one file, as a bitmap.
    VECTOR
  }
}
