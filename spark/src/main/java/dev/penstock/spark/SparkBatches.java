package dev.penstock.spark;

import dev.penstock.split.Rank;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// Batches in Spark's tasks: of Spark's own rows, or of a table that Penstock reads.
///
/// Partitions are independent of each other, as always in Spark: each runs where and when there is
/// a slot, and is retried alone. For tasks that have to run all at once, see [SparkRanks].
///
/// **Rows.** Each row of the data is in one batch of one partition. A partition that runs again has
/// the same batches, if its rows come in the same order.
///
/// **Ownership.** Loaders are closed when their task ends, also if it fails or is stopped.
///
/// **Laziness.** Nothing is read until an action of Spark asks for results.
public final class SparkBatches {
  private SparkBatches() {}

  /// Gives the rows of each partition as batches.
  ///
  /// Spark writes a partition in Arrow's format to the executor's local disk, and the loader reads
  /// it from there: so all that a loader does can be done with it, its memory stays bounded, and it
  /// can go over the rows several times. The file takes about as much as the rows do in Arrow, and
  /// goes with the task.
  ///
  /// @param <T> the type of the results
  /// @param rows the rows, such as features made by Spark; not of Spark Connect
  /// @param loaders makes the loader of a partition
  /// @param task makes the results of a partition
  /// @return the results, in as many partitions
  /// @throws IllegalArgumentException if `rows` is of Spark Connect, or two columns share a name
  public static <T> JavaRDD<T> mapPartitions(
      Dataset<Row> rows, PartitionLoader loaders, BatchTask<T> task) {
    return SparkRows.of(rows).mapPartitions(loaders, task);
  }

  /// Gives a table as batches: Penstock prunes and decodes it instead of Spark.
  ///
  /// The loaders share the table as ranks do: each reads an equal part, in file order unless it
  /// shuffles, and finds its part in the files' footers by itself. Behind a filter use
  /// [dev.penstock.options.LoaderOptions#countMatches(boolean)] with `false`: else each partition
  /// first counts the matches of the whole table.
  ///
  /// @param <T> the type of the results
  /// @param spark the context; of a session, `session.sparkContext()`
  /// @param partitions how many parts, at least 1; more than there are slots, so that the slots are
  ///   busy to the end
  /// @param loaders makes the loader of a part, with the rank it is given
  /// @param task makes the results of a part
  /// @return the results, in `partitions` partitions in the order of the ranks
  /// @throws IllegalArgumentException if `partitions` is below 1
  public static <T> JavaRDD<T> mapTable(
      SparkContext spark, int partitions, RankLoader loaders, BatchTask<T> task) {
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "The number of partitions must be 1 or more, got " + partitions + ".");
    }
    List<Integer> ranks = IntStream.range(0, partitions).boxed().toList();
    return new JavaSparkContext(spark)
        .parallelize(ranks, partitions)
        .mapPartitions(part -> {
          // Not by the number of the task's partition, which is another one after union and
          // coalesce.
          Rank rank = new Rank(part.next(), partitions);
          return BatchResults.of(TaskContext.get(), rank, loaders.open(rank), () -> {}, task);
        });
  }
}
