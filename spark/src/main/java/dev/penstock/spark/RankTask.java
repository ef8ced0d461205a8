package dev.penstock.spark;

import dev.penstock.DataLoader;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What each rank does with its loader: usually a training loop.
///
/// It is sent to the executors by Java serialization, with everything that it references.
///
/// @param <R> the result of a rank: serializable, or null
@FunctionalInterface
public interface RankTask<R extends @Nullable Object> extends Serializable {
  /// Runs the rank. With a folder for checkpoints it may run again, starting at the last one:
  /// `loader.state()` gives the position, [SparkRank#saved()] the model.
  ///
  /// @param rank this process among the training processes, and its checkpoints
  /// @param loader its rows, from the checkpoint on
  /// @return the result
  /// @throws Exception any; all ranks are then stopped, and rerun or given up, by the context's
  ///   `spark.stage.maxConsecutiveAttempts`
  R run(SparkRank rank, DataLoader loader) throws Exception;
}
