package dev.penstock.split;

import java.util.List;

/// What one epoch reads, decided before any row is read: the checked result of a [SplitStrategy].
///
/// @param epoch the epoch, counted from 0
/// @param files the files in path order
/// @param splits one per reader: the part each would read on its own; workers that finish early
///   help the others
/// @param sequence all FileSplits in the order in which their rows are delivered
/// @param pruned the rows that the filter rules out before any row is read; no FileSplit covers
///   whole files among them
/// @param prunedFiles the files that the filter rules out by their folders; not in `files`
/// @param rowsOfSources how many of the rows are of each source of a mixture, whose splits are in
///   the order of the sources; empty without a mixture
public record Plan(
    long epoch,
    List<DataFileInfo> files,
    List<Split> splits,
    List<FileSplit> sequence,
    List<PrunedRows> pruned,
    List<PrunedFile> prunedFiles,
    List<Long> rowsOfSources) {
  /// Copies the lists.
  public Plan {
    files = List.copyOf(files);
    splits = List.copyOf(splits);
    sequence = List.copyOf(sequence);
    pruned = List.copyOf(pruned);
    prunedFiles = List.copyOf(prunedFiles);
    rowsOfSources = List.copyOf(rowsOfSources);
  }

  /// Returns the number of rows of all FileSplits, including those that a filter rules out.
  ///
  /// @return the sum over [#sequence()]
  public long rows() {
    return sequence.stream().mapToLong(FileSplit::rows).sum();
  }

  @Override
  public String toString() {
    return "Plan of epoch "
        + epoch
        + ": "
        + rows()
        + " rows of "
        + files.size()
        + " files in "
        + sequence.size()
        + " FileSplits, dealt to "
        + splits.size()
        + " readers";
  }
}
