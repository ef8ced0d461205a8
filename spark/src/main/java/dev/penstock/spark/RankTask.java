package dev.penstock.spark;

import dev.penstock.DataLoader;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What each rank does with its loader: usually a training loop.
///
/// It travels to the executors by Java serialization, and so does what it refers to.
///
/// @param <R> what a rank gives back: something serializable, or null
@FunctionalInterface
public interface RankTask<R extends @Nullable Object> extends Serializable {
  /// Runs the rank. With a folder for checkpoints it may be run again, then from the last one:
  /// `loader.state()` says where, [SparkRank#saved()] has the model.
  ///
  /// @param rank this process among the training processes, and its checkpoints
  /// @param loader its rows, from where the checkpoint was made
  /// @return the result
  /// @throws Exception what it likes; all ranks are stopped then, and run again or given up, as the
  ///   context's `spark.stage.maxConsecutiveAttempts` says
  R run(SparkRank rank, DataLoader loader) throws Exception;
}
