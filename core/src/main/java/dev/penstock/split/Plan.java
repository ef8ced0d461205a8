package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What one epoch reads, decided before any row is read: the checked result of a [SplitStrategy].
///
/// @param epoch the epoch, counted from 0
/// @param files the files in path order, each once
/// @param splits one per reader: the part each would read on its own; workers that finish early
///   help the others
/// @param sequence all FileSplits in the order in which their rows are delivered
/// @param pruned the rows that the filter, or all sources of a mixture that read the file, rule out
///   before any row is read; no FileSplit covers whole files among them
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

  /// {@return the number of rows: of a mixture those that it delivers, else those of all
  /// FileSplits, including those that a filter rules out}
  public long rows() {
    return rowsOfSources.isEmpty()
        ? sequence.stream().mapToLong(FileSplit::rows).sum()
        : rowsOfSources.stream().mapToLong(rows -> rows).sum();
  }

  /// {@return the part of this that is read: the splits without the pruned rows inside them. Splits
  /// may be cut; of a mixture it is this plan, whose splits have no such rows}
  public Plan withoutPruned() {
    Map<Location, List<RowRange>> gaps = new HashMap<>();
    for (PrunedRows rows : pruned) {
      gaps.computeIfAbsent(rows.file().location(), _ -> new ArrayList<>()).add(rows.rows());
    }
    return rowsOfSources.isEmpty()
        ? new Plan(
            epoch,
            files,
            splits.stream().map(split -> new Split(left(split.fileSplits(), gaps))).toList(),
            left(sequence, gaps),
            pruned,
            prunedFiles,
            rowsOfSources)
        : this;
  }

  private static List<FileSplit> left(
      List<FileSplit> splits, Map<Location, List<RowRange>> gapsOfFiles) {
    List<FileSplit> left = new ArrayList<>();
    for (FileSplit split : splits) {
      List<RowRange> gaps = gapsOfFiles.getOrDefault(split.file().location(), List.of());
      if (gaps.isEmpty()) {
        left.add(split);
      } else {
        addLeft(split, gaps, left);
      }
    }
    return left;
  }

  private static void addLeft(FileSplit split, List<RowRange> gaps, List<FileSplit> left) {
    long start = split.firstRow();
    for (RowRange gap : gaps) { // in row order
      addRows(split, start, Math.min(gap.offset(), split.endRow()), left);
      start = Math.max(start, gap.end());
    }
    addRows(split, start, split.endRow(), left);
  }

  private static void addRows(FileSplit split, long start, long end, List<FileSplit> left) {
    if (start < end) {
      left.add(FileSplit.of(split.file(), start, end - start));
    }
  }

  @Override
  public String toString() {
    return Sentence.of(
        "Plan of epoch %s: %s rows of %s files in %s FileSplits, dealt to %s readers",
        epoch, rows(), files.size(), sequence.size(), splits.size());
  }
}
