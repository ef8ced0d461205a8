package dev.penstock.iceberg;

import dev.penstock.split.FileDetails;
import dev.penstock.split.PartitionValue;
import java.util.List;

/// What a table knows of a data file, for a [dev.penstock.split.SplitStrategy]: found in
/// [dev.penstock.split.DataFileInfo#details()].
///
/// @param path the file as the table's metadata names it
/// @param snapshotId the snapshot that is read
/// @param sequenceNumber when the file's rows came: later ones have higher numbers; 0 in tables of
///   format version 1
/// @param specId which of the table's partition specs the file was written with
/// @param partition the file's partition, as texts: `day(ts)` is `ts_day=2001-01-31`; empty where
///   the table is not partitioned
/// @param deletes the delete files that may concern its rows
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
  /// @param path the file as the table's metadata names it
  /// @param records how many entries it has, for all data files that it is about
  public record Delete(Kind kind, String path, long records) {}

  /// How a delete file names rows.
  public enum Kind {
    /// By file and position.
    POSITIONS,
    /// By values of columns.
    EQUALITY,
    /// By the positions in one file, as a bitmap.
    VECTOR
  }
}
