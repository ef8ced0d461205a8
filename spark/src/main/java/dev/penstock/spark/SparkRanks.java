package dev.penstock.spark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// Runs training ranks as the tasks of a Spark barrier stage: all at once, each with its rows.
///
/// Spark provides machines, and restarts all ranks together if one fails. The ranks read the rows
/// themselves; communication during training is up to the training framework.
///
/// **Checkpoints.** With a folder for them, ranks save their models by [SparkRank#save] after the
/// same steps. If a rank or its executor fails, Spark reruns the stage, up to
/// `spark.stage.maxConsecutiveAttempts` times (4); the ranks then continue from the last checkpoint
/// that all of them saved: after it no row is missed and none comes twice. A later run with the
/// same folder continues too, even with another number of ranks. Without a folder a rerun stage
/// begins at the start.
///
/// **Ownership.** The loaders are closed here, even if Spark stops a task.
///
/// **Threads.** Any thread of the driver; it waits until the ranks have ended.
///
/// **Order.** That of the loaders: it depends on rank, seed and files, not on where tasks run.
///
/// **Errors.** A [org.apache.spark.SparkException] with the message of the rank that failed. Spark
/// also throws one for fewer slots than ranks, after the retries of
/// `spark.scheduler.barrier.maxConcurrentTasksCheck`, and for dynamic allocation.
public final class SparkRanks {
  private SparkRanks() {}

  /// Runs ranks that keep no checkpoints.
  ///
  /// @param <R> the result of a rank
  /// @param spark the context; of a session, `session.sparkContext()`
  /// @param world the number of ranks, at least 1 and at most the number of task slots
  /// @param loaders makes each rank's loader
  /// @param task what each rank does
  /// @return the results, by rank
  /// @throws IllegalArgumentException if `world` is below 1
  public static <R extends @Nullable Object> List<R> run(
      SparkContext spark, int world, RankLoader loaders, RankTask<R> task) {
    return start(spark, world, loaders, null, task);
  }

  /// Runs ranks that keep checkpoints, from the last one on.
  ///
  /// @param <R> the result of a rank
  /// @param spark the context; of a session, `session.sparkContext()`
  /// @param world the number of ranks, at least 1 and at most the number of task slots
  /// @param loaders makes each rank's loader
  /// @param checkpoints a folder for this training alone, in any file system that Hadoop is
  ///   configured for; all executors must see the same folder
  /// @param task what each rank does
  /// @return the results, by rank
  /// @throws IllegalArgumentException if `world` is below 1
  public static <R extends @Nullable Object> List<R> run(
      SparkContext spark, int world, RankLoader loaders, String checkpoints, RankTask<R> task) {
    return start(spark, world, loaders, checkpoints, task);
  }

  private static <R extends @Nullable Object> List<R> start(
      SparkContext spark,
      int world,
      RankLoader loaders,
      @Nullable String checkpoints,
      RankTask<R> task) {
    if (world < 1) {
      throw new IllegalArgumentException(
          "The number of ranks must be 1 or more, got " + world + ".");
    }
    List<Integer> ranks = IntStream.range(0, world).boxed().toList();
    RankStage<R> stage =
        new RankStage<>(
            world,
            loaders,
            task,
            checkpoints,
            new SerializableConfiguration(spark.hadoopConfiguration()),
            UUID.randomUUID().toString());
    ClassTag<Tuple2<Integer, byte[]>> pair = ClassTag$.MODULE$.apply(Tuple2.class);
    JavaRDD<Tuple2<Integer, byte[]>> results =
        new JavaSparkContext(spark)
            .parallelize(ranks, world)
            .rdd()
            .barrier()
            .mapPartitions(stage, false, pair)
            .toJavaRDD();
    // Goes through a shuffle, because Spark reruns a failed barrier stage only if a stage follows
    // it.
    List<Tuple2<Integer, byte[]>> byRank = new ArrayList<>(results.repartition(1).collect());
    byRank.sort(Comparator.comparing(Tuple2::_1));
    return values(byRank, ClassTag$.MODULE$.apply(RankResult.class));
  }

  private static <R extends @Nullable Object> List<R> values(
      List<Tuple2<Integer, byte[]>> results, ClassTag<RankResult<R>> type) {
    SerializerInstance java = SparkEnv.get().closureSerializer().newInstance();
    ClassLoader classes = Thread.currentThread().getContextClassLoader();
    List<R> values = new ArrayList<>();
    for (Tuple2<Integer, byte[]> result : results) {
      RankResult<R> read = java.deserialize(ByteBuffer.wrap(result._2()), classes, type);
      values.add(read.value());
    }
    return values;
  }
}
