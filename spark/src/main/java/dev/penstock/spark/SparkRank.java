package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.BarrierTaskContext;
import org.jspecify.annotations.Nullable;

/// A training process in a task of Spark: which one it is, and its checkpoints.
///
/// Addresses of the other ranks, messages to them and waiting for them are Spark's own:
/// [BarrierTaskContext#get()], in the task's thread. Each exchange takes about a second, so
/// exchange addresses once, not gradients at each step.
///
/// **Threads.** The one that [RankTask#run] is called in.
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

  /// Returns what this rank last saved, where the run goes on from a checkpoint. If that was made
  /// by fewer ranks, ranks beyond them get what the first ones saved.
  ///
  /// @return the model, as it was given to [#save]; empty where training begins
  public Optional<byte[]> saved() {
    return Optional.ofNullable(saved).map(byte[]::clone);
  }

  /// Saves this rank's model together with the place that its loader has come to, as the checkpoint
  /// of (epoch, step). To be called by every rank, after the same step: a checkpoint counts when
  /// all ranks have saved theirs. The last two that count are kept.
  ///
  /// @param model what is needed to go on, in any form; empty where another rank saves it
  /// @throws IOException if the file cannot be written
  /// @throws IllegalStateException if no folder was given, Spark has stopped this task, or the
  ///   loader's batches do not come in order and it is within an epoch
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
