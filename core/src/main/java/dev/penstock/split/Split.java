package dev.penstock.split;

import java.util.List;

/// One reader's list of [FileSplit]s.
///
/// @param fileSplits what the reader reads, in order; may be empty
public record Split(List<FileSplit> fileSplits) {
  /// Copies the list.
  public Split {
    fileSplits = List.copyOf(fileSplits);
  }

  /// {@return how many rows the reader reads}
  public long rows() {
    return fileSplits.stream().mapToLong(FileSplit::rows).sum();
  }

  @Override
  public String toString() {
    return "Split of " + fileSplits.size() + " FileSplits, " + rows() + " rows";
  }
}
