package dev.penstock.internal.plan;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns a strategy's splits into the single sequence of an epoch.
final class Planner {
  private Planner() {}

  /// @param readers how many readers to deal to, at least 1
  /// @throws IllegalArgumentException if the strategy leaves rows out or reads them twice
  /// @throws IllegalStateException if it fails
  static Plan plan(
      Pruning pruning, SplitStrategy strategy, Reach reach, long seed, long epoch, int readers) {
    List<DataFileInfo> files = pruning.files();
    List<Split> splits =
        files.isEmpty()
            ? Collections.nCopies(readers, new Split(List.of()))
            : asked(epoch, () -> strategy.generate(files, readers, epoch));
    List<FileSplit> inFileOrder = SplitCheck.inFileOrder(files, splits);
    List<FileSplit> sequence =
        new ArrayList<>(asked(epoch, strategy::keepsFileOrder) ? inFileOrder : interleaved(splits));
    sequence.removeIf(split -> split.rows() == 0);
    if (reach.isPermuted()) {
      List<FileSplit> permuted = new ArrayList<>();
      for (int i : Permutation.of(sequence.size(), seed, epoch)) {
        permuted.add(sequence.get(i));
      }
      sequence =
          reach.isInWindows()
              ? Interleaving.of(
                  permuted,
                  reach.interleave(),
                  Math.ceilDiv(reach.windowRows(), reach.interleave()))
              : permuted;
      splits = TargetSizeSplitStrategy.dealEvenly(sequence, readers);
    }
    return new Plan(
        epoch, files, splits, sequence, pruning.pruned(), pruning.prunedFiles(), List.of());
  }

  /// Asks the user's strategy.
  private static <R> R asked(long epoch, Supplier<@Nullable R> question) {
    try {
      return Objects.requireNonNull(question.get(), "it returned null but expected Splits");
    } catch (Throwable e) { // users' code
      throw new IllegalStateException(
          "Cannot plan epoch " + epoch + ": the split strategy failed: " + e, e);
    }
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
