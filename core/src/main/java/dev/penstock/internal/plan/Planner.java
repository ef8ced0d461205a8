package dev.penstock.internal.plan;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Turns a strategy's splits into the single sequence of an epoch.
public final class Planner {
  private Planner() {}

  /// Plans an epoch.
  ///
  /// @param pruning what the filter leaves of the files
  /// @param strategy how to cut and deal them
  /// @param shuffle how far rows may move
  /// @param seed the seed of the permutation
  /// @param epoch the epoch, counted from 0
  /// @param readers how many readers to deal to, at least 1
  /// @return the plan
  /// @throws IllegalArgumentException if the strategy leaves rows out or reads them twice
  public static Plan plan(
      Pruning pruning,
      SplitStrategy strategy,
      Shuffle shuffle,
      long seed,
      long epoch,
      int readers) {
    List<DataFileInfo> files = pruning.files();
    List<Split> splits =
        files.isEmpty()
            ? Collections.nCopies(readers, new Split(List.of()))
            : strategy.generate(files, readers, epoch);
    List<FileSplit> inFileOrder = SplitCheck.inFileOrder(files, splits);
    List<FileSplit> sequence =
        new ArrayList<>(strategy.keepsFileOrder() ? inFileOrder : interleaved(splits));
    sequence.removeIf(split -> split.rows() == 0);
    if (shuffle instanceof Shuffle.Splits || shuffle instanceof Shuffle.Window) {
      int[] order = Permutation.of(sequence.size(), seed, epoch);
      List<FileSplit> permuted = new ArrayList<>();
      for (int i : order) {
        permuted.add(sequence.get(i));
      }
      sequence =
          shuffle instanceof Shuffle.Window(int rows, int interleave)
              ? Interleaving.of(permuted, interleave, Math.ceilDiv(rows, interleave))
              : permuted;
      splits = TargetSizeSplitStrategy.dealEvenly(sequence, readers);
    }
    return new Plan(
        epoch, files, splits, sequence, pruning.pruned(), pruning.prunedFiles(), List.of());
  }

  private static List<FileSplit> interleaved(List<Split> splits) {
    List<FileSplit> sequence = new ArrayList<>();
    int longest = splits.stream().mapToInt(split -> split.fileSplits().size()).max().orElse(0);
    for (int turn = 0; turn < longest; turn++) {
      for (Split split : splits) {
        if (turn < split.fileSplits().size()) {
          sequence.add(split.fileSplits().get(turn));
        }
      }
    }
    return sequence;
  }
}
