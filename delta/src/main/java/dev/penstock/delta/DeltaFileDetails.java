package dev.penstock.delta;

import dev.penstock.split.FileDetails;
import dev.penstock.split.PartitionValue;
import java.util.List;

/// What a Delta table's log says of a data file.
///
/// @param partition the values of the table's partition columns
/// @param deletedRows how many rows its deletion vector deletes
public record DeltaFileDetails(List<PartitionValue> partition, long deletedRows)
    implements FileDetails {
  /// Copies the list.
  public DeltaFileDetails {
    partition = List.copyOf(partition);
  }
}
