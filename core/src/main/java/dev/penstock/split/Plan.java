package dev.penstock.split;

import java.util.List;

/// What one epoch reads, decided before any row is: the answer of a [SplitStrategy], checked.
///
/// @param epoch the epoch, counted from 0
/// @param files the files in path order
/// @param splits one per reader: which part each would read on its own; any worker helps where work
///   is left
/// @param sequence all FileSplits in the order in which their rows are delivered
public record Plan(
    long epoch, List<DataFileInfo> files, List<Split> splits, List<FileSplit> sequence) {
  /// Copies the lists.
  public Plan {
    files = List.copyOf(files);
    splits = List.copyOf(splits);
    sequence = List.copyOf(sequence);
  }

  /// Returns the rows of the epoch.
  ///
  /// @return the sum over [#sequence()]
  public long rows() {
    return sequence.stream().mapToLong(FileSplit::rows).sum();
  }
}
