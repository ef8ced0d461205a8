package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/// The code of each task of the barrier stage: agrees with the other ranks on where to continue,
/// then runs the user's task.
///
/// @param <R> the result of the user's task
final class RankStage<R extends @Nullable Object>
    extends AbstractFunction1<Iterator<Integer>, Iterator<Tuple2<Integer, byte[]>>>
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(SparkRanks.class);
  private static final Pattern RANK_OF_STATE = Pattern.compile("\"rank\":[0-9]+,");

  private final int world;
  private final RankLoader loaders;
  private final RankTask<R> task;
  private final @Nullable String folder;
  private final SerializableConfiguration configuration;
  private final String run;

  /// Describes the stage.
  ///
  /// @param folder the folder of checkpoints; null for none
  /// @param run a unique name of the run
  RankStage(
      int world,
      RankLoader loaders,
      RankTask<R> task,
      @Nullable String folder,
      SerializableConfiguration configuration,
      String run) {
    this.world = world;
    this.loaders = loaders;
    this.task = task;
    this.folder = folder;
    this.configuration = configuration;
    this.run = run;
  }

  @Override
  public Iterator<Tuple2<Integer, byte[]>> apply(Iterator<Integer> partition) {
    BarrierTaskContext context = BarrierTaskContext.get();
    requireAll(context);
    Rank rank = new Rank(context.partitionId(), world);
    Tuple2<Integer, byte[]> result;
    try {
      result = new Tuple2<>(rank.index(), serialized(run(rank, context)));
    } catch (RuntimeException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (Exception e) {
      throw new IllegalStateException("Rank " + rank + " failed: " + e.getMessage(), e);
    }
    // No rank ends before all are done: if another one fails later, Spark would keep the result of
    // a rank that ended, and rerun the others without it.
    context.barrier();
    return CollectionConverters.asScala(List.of(result).iterator());
  }

  /// Fails if Spark runs only some of the ranks, so that the next attempt runs all.
  private void requireAll(BarrierTaskContext context) {
    int tasks = context.getTaskInfos().length;
    if (tasks != world) {
      throw new IllegalStateException(
          "Cannot run rank %s of %s with only %s of the ranks: all are begun again together."
              .formatted(context.partitionId(), world, tasks));
    }
  }

  private R run(Rank rank, BarrierTaskContext context) throws Exception {
    try (DataLoader loader = loaders.open(rank);
        TaskWatch _ = TaskWatch.start(context, loader)) {
      GivenRank.requireGroup(rank, loader);
      return task.run(begin(rank, loader, context), loader);
    }
  }

  /// Moves the loader to the last checkpoint, the same one on all ranks. Attempts count from 0 in
  /// each run, so each run needs its own name.
  private SparkRank begin(Rank rank, DataLoader loader, BarrierTaskContext context)
      throws Exception {
    Checkpoints checkpoints = null;
    String newest = "";
    if (folder != null) {
      String name = run + "-" + context.stageAttemptNumber();
      checkpoints = Checkpoints.open(folder, configuration.value(), name, rank);
      if (rank.index() == 0) {
        checkpoints.begin();
        newest = checkpoints.newest().orElse("");
      }
    }
    List<String> told = Arrays.asList(context.allGather(newest + "\n" + reads(loader)));
    requireSameRows(told);
    if (checkpoints == null) {
      return new SparkRank(rank, loader, context, null, null);
    }
    checkpoints.requireShared();
    String chosen = told.getFirst().lines().findFirst().orElse("");
    if (chosen.isEmpty()) {
      return new SparkRank(rank, loader, context, checkpoints, null);
    }
    List<Checkpoints.Saved> saved = checkpoints.read(chosen);
    if (saved.isEmpty()) {
      throw new IllegalStateException(
          "Cannot resume: the checkpoint " + chosen + " in " + folder + " has gone.");
    }
    loader.resume(LoaderState.merge(saved.stream().map(Checkpoints.Saved::state).toList()));
    LOG.info("Rank {} goes on from checkpoint {}.", rank, chosen);
    byte[] model = saved.get(rank.index() % saved.size()).model();
    return new SparkRank(rank, loader, context, checkpoints, model);
  }

  /// Describes what a loader reads, with the same text on all ranks that read the same.
  private static String reads(DataLoader loader) {
    return RANK_OF_STATE.matcher(loader.state().toJson()).replaceFirst("")
        + " in batches of "
        + loader.options().batching().size();
  }

  /// Refuses ranks that list different files or have different options: they would read rows twice,
  /// miss rows, or make more steps.
  private static void requireSameRows(List<String> told) {
    String first = behindName(told.getFirst());
    for (int other = 1; other < told.size(); other++) {
      if (!behindName(told.get(other)).equals(first)) {
        throw new IllegalStateException(
            ("Cannot train as %s ranks: rank %s reads %s but rank 0 reads %s. All executors"
                    + " must see the same files, and all loaders have the same options.")
                .formatted(told.size(), other, behindName(told.get(other)), first));
      }
    }
  }

  private static String behindName(String told) {
    return told.substring(told.indexOf('\n') + 1);
  }

  /// Java serialization, whatever serializer Spark is configured with: the one that functions are
  /// sent with.
  private byte[] serialized(R result) {
    var bytes =
        SparkEnv.get()
            .closureSerializer()
            .newInstance()
            .serialize(new RankResult<>(result), ClassTag$.MODULE$.apply(RankResult.class));
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    return array;
  }
}
