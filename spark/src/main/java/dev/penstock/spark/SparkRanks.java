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

/// Runs training ranks as the tasks of a barrier stage of Spark: all at once, each with its rows.
///
/// What Spark gives is machines, and that ranks which fail are started again, all together. Rows
/// are read by the ranks themselves, and what they have to tell each other while they train is up
/// to the framework that trains.
///
/// **Checkpoints.** With a folder for them, ranks save their models by [SparkRank#save] after the
/// same steps. When a rank fails, or its executor, Spark runs the stage again, up to
/// `spark.stage.maxConsecutiveAttempts` times (4); the ranks then go on from the last checkpoint
/// that all of them saved: no row is missed, none comes twice after it. So does a later run with
/// the same folder, also with another number of ranks. Without a folder a stage that runs again
/// begins at the start.
///
/// **Ownership.** The loaders are closed here, also when Spark stops a task.
///
/// **Threads.** Any thread of the driver; it waits until the ranks have ended.
///
/// **Order.** That of the loaders: it follows from rank, seed and files, not from where tasks run.
///
/// **Errors.** A [org.apache.spark.SparkException] of Spark with the message of the rank that
/// failed. Fewer slots than ranks are an error of Spark's, too, after its patience
/// (`spark.scheduler.barrier.maxConcurrentTasksCheck`), as is dynamic allocation.
public final class SparkRanks {
  private SparkRanks() {}

  /// Runs ranks that keep no checkpoints.
  ///
  /// @param <R> what a rank gives back
  /// @param spark the context; of a session, `session.sparkContext()`
  /// @param world how many ranks, at least 1 and at most as many as there are slots for tasks
  /// @param loaders makes each rank's loader
  /// @param task what each rank does
  /// @return what the ranks gave back, by rank
  /// @throws IllegalArgumentException if `world` is below 1
  public static <R extends @Nullable Object> List<R> run(
      SparkContext spark, int world, RankLoader loaders, RankTask<R> task) {
    return start(spark, world, loaders, null, task);
  }

  /// Runs ranks that keep checkpoints, from the last one on.
  ///
  /// @param <R> what a rank gives back
  /// @param spark the context; of a session, `session.sparkContext()`
  /// @param world how many ranks, at least 1 and at most as many as there are slots for tasks
  /// @param loaders makes each rank's loader
  /// @param checkpoints a folder for this training alone, in any file system that Hadoop is set up
  ///   for; all executors must see the same
  /// @param task what each rank does
  /// @return what the ranks gave back, by rank
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
    // Over a shuffle, because a failed barrier stage is run again only if a stage follows it.
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
