package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.BarrierTaskContext;
import org.jspecify.annotations.Nullable;

/// A training process in a Spark task: its rank and its checkpoints.
///
/// For addresses of the other ranks, messages to them and barriers use Spark's own
/// [BarrierTaskContext#get()], in the task's thread. Each exchange takes about a second, so
/// exchange addresses once, not gradients at each step.
///
/// **Threads.** Only the one that [RankTask#run] is called in.
public final class SparkRank {
  private final Rank rank;
  private final DataLoader loader;
  private final BarrierTaskContext context;
  private final @Nullable Checkpoints checkpoints;
  private final byte @Nullable [] saved;

  SparkRank(
      Rank rank,
      DataLoader loader,
      BarrierTaskContext context,
      @Nullable Checkpoints checkpoints,
      byte @Nullable [] saved) {
    this.rank = rank;
    this.loader = loader;
    this.context = context;
    this.checkpoints = checkpoints;
    this.saved = saved;
  }

  /// Returns which of the training processes this is.
  ///
  /// @return the task's number among all tasks
  public Rank rank() {
    return rank;
  }

  /// Returns what this rank last saved, if the run continues from a checkpoint. If fewer ranks made
  /// the checkpoint, the additional ranks get what the first ones saved.
  ///
  /// @return the model, as passed to [#save]; empty if training starts
  public Optional<byte[]> saved() {
    return Optional.ofNullable(saved).map(byte[]::clone);
  }

  /// Saves this rank's model together with its loader's position, as the checkpoint of (epoch,
  /// step). Every rank must call it, after the same step: a checkpoint counts when all ranks have
  /// saved it. The last two complete checkpoints are kept.
  ///
  /// @param model what is needed to continue, in any form; empty if another rank saves it
  /// @throws IOException if the file cannot be written
  /// @throws IllegalStateException if no folder was given, Spark has stopped this task, or the
  ///   loader is within an epoch and its batches do not come in order
  public void save(byte[] model) throws IOException {
    if (checkpoints == null) {
      throw new IllegalStateException(
          "Cannot save a checkpoint: there is no folder for them. Give one to SparkRanks.run.");
    }
    if (context.isInterrupted()) {
      throw new IllegalStateException("Cannot save a checkpoint: Spark has stopped this task.");
    }
    checkpoints.save(loader.state(), model);
  }
}
