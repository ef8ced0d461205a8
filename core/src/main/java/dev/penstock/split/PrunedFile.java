package dev.penstock.split;

import dev.penstock.storage.Location;
import java.util.List;

/// A file that a filter rules out by its folders or by its table's metadata, so that it was never
/// opened.
///
/// @param location where it is
/// @param bytes its size
/// @param partition the values from its folders or its table
public record PrunedFile(Location location, long bytes, List<PartitionValue> partition) {
  /// Copies the list.
  public PrunedFile {
    partition = List.copyOf(partition);
  }
}
