package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.StringEncoding;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The code of a task that has Spark's rows: puts them on disk, and opens a loader over them.
///
/// @param <T> the results of the user's task
record RowPartition<T>(StructType schema, String zone, PartitionLoader loaders, BatchTask<T> task)
    implements FlatMapFunction<Iterator<InternalRow>, T> {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(SparkBatches.class);

  @Override
  public Iterator<T> call(Iterator<InternalRow> rows) throws Exception {
    // In the folders that Spark removes with the executor, should the task not get to it.
    Path file =
        SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2().toPath();
    DataLoader loader;
    try {
      ArrowSpool.write(rows, schema, zone, file);
      StructuredDataset dataset = new StructuredDataset(file.toString()).format("arrow");
      loader = loaders.open(dataset, LoaderOptions.defaults().rank(Rank.SINGLE));
    } catch (Throwable e) {
      delete(file);
      throw e;
    }
    BatchTask<T> checked =
        given -> {
          requireVocabularies(given.options());
          return task.run(given);
        };
    return BatchResults.of(TaskContext.get(), Rank.SINGLE, loader, () -> delete(file), checked);
  }

  /// Refuses codes of the texts of one partition: in another the same text has another code.
  private static void requireVocabularies(LoaderOptions options) {
    options
        .columns()
        .strings()
        .byName()
        .forEach((column, encoding) -> {
          if (encoding instanceof StringEncoding.Codes codes && codes.vocabulary().isEmpty()) {
            throw new IllegalArgumentException(
                ("Cannot give column '%s' codes: each partition would find a vocabulary of its own."
                        + " Use StringEncoding.codes(vocabulary), such as that of the training, or"
                        + " hash(buckets).")
                    .formatted(column));
          }
        });
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}. Spark removes it with the executor.", file, e.toString());
    }
  }
}
