package dev.penstock.spark;

import dev.penstock.DataLoader;
import java.io.Serializable;
import java.util.Iterator;

/// What is done with the batches of a partition.
///
/// It is sent to the executors by Java serialization, with everything that it references. It may
/// run again for the same partition, where Spark retries or speculates.
///
/// @param <T> the type of the results: serializable
@FunctionalInterface
public interface BatchTask<T> extends Serializable {
  /// Makes the results of a partition.
  ///
  /// @param loader the batches
  /// @return the results; read in the same thread, and the loader is closed behind the last one. A
  ///   list holds all results at once, an iterator that goes over the loader those of a batch
  /// @throws Exception any; the task fails with it
  Iterator<T> run(DataLoader loader) throws Exception;
}
