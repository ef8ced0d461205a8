package dev.penstock.split;

import java.util.List;

/// What one epoch reads, decided before any row is: the answer of a [SplitStrategy], checked.
///
/// @param epoch the epoch, counted from 0
/// @param files the files in path order
/// @param splits one per reader: which part each would read on its own; any worker helps where work
///   is left
/// @param sequence all FileSplits in the order in which their rows are delivered
/// @param pruned the rows that the filter rules out by what is known before any row is read; those
///   of whole files are in no FileSplit
/// @param prunedFiles the files that the filter rules out by their folders; they are not among
///   `files`
public record Plan(
    long epoch,
    List<DataFileInfo> files,
    List<Split> splits,
    List<FileSplit> sequence,
    List<PrunedRows> pruned,
    List<PrunedFile> prunedFiles) {
  /// Copies the lists.
  public Plan {
    files = List.copyOf(files);
    splits = List.copyOf(splits);
    sequence = List.copyOf(sequence);
    pruned = List.copyOf(pruned);
    prunedFiles = List.copyOf(prunedFiles);
  }

  /// Returns the rows of all FileSplits, those that a filter rules out included.
  ///
  /// @return the sum over [#sequence()]
  public long rows() {
    return sequence.stream().mapToLong(FileSplit::rows).sum();
  }
}
