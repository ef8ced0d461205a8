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

  /// Returns how many rows the reader reads.
  ///
  /// @return the sum over [#fileSplits()]
  public long rows() {
    return fileSplits.stream().mapToLong(FileSplit::rows).sum();
  }

  @Override
  public String toString() {
    return "Split of " + fileSplits.size() + " FileSplits, " + rows() + " rows";
  }
}
