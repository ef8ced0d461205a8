package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import java.io.Serializable;

/// Makes the loader of a partition's rows, in the task that has them.
///
/// It is sent to the executors by Java serialization, with everything that it references.
@FunctionalInterface
public interface PartitionLoader extends Serializable {
  /// Makes a loader: `DataLoader.of(rows, options.batchSize(512))`.
  ///
  /// @param rows the partition; its columns have the names and types that Spark gives them
  /// @param options the defaults, as one reader of all these rows, whatever the executor's
  ///   environment says of ranks
  /// @return the loader; [SparkBatches] closes it
  /// @throws Exception any; the task fails with it
  DataLoader open(StructuredDataset rows, LoaderOptions options) throws Exception;
}
