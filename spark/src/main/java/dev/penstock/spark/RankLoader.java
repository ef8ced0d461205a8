package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.io.Serializable;

/// Makes the loader of a rank, in the rank's own task.
///
/// It travels to the executors by Java serialization, and so does what it refers to: make datasets
/// and options inside of it.
@FunctionalInterface
public interface RankLoader extends Serializable {
  /// Makes a loader.
  ///
  /// @param rank which of the training processes this is, to be passed on to
  ///   [dev.penstock.LoaderOptions#rank(Rank)]
  /// @return the loader; [SparkRanks] closes it
  /// @throws Exception what it likes; the task fails with it
  DataLoader open(Rank rank) throws Exception;
}
