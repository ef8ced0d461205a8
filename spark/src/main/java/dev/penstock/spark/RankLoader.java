package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.io.Serializable;

/// Makes the loader of a rank, in the rank's own task.
///
/// It is sent to the executors by Java serialization, with everything that it references: create
/// datasets and options inside it.
@FunctionalInterface
public interface RankLoader extends Serializable {
  /// Makes a loader.
  ///
  /// @param rank this process among the training processes; pass it to
  ///   [dev.penstock.options.LoaderOptions#rank(Rank)]
  /// @return the loader; [SparkRanks] closes it
  /// @throws Exception any; the task fails with it
  DataLoader open(Rank rank) throws Exception;
}
