package dev.penstock.internal.planfile;

import dev.penstock.format.RowGroup;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import java.util.List;

/// A data file as a plan has it.
///
/// @param version identifies its contents, see [dev.penstock.spi.storage.StorageFile#version]
/// @param schema its number in [PlanFile#schemas()]
/// @param stored the row groups with all of their rows
/// @param left the row groups with the rows that were not deleted; the bytes are those of all rows
public record PlannedFile(
    Location location,
    long bytes,
    String version,
    List<PartitionValue> partition,
    int schema,
    List<RowGroup> stored,
    List<RowGroup> left) {
  public PlannedFile {
    partition = List.copyOf(partition);
  }

  /// Returns how many rows were not deleted.
  long rows() {
    return left.stream().mapToLong(RowGroup::rowCount).sum();
  }
}
