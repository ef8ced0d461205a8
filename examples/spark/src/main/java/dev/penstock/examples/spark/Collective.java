package dev.penstock.examples.spark;

import dev.penstock.split.Rank;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.RabitTracker;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.BarrierTaskContext;
import org.jspecify.annotations.Nullable;

/// XGBoost's links between the ranks of a barrier stage: while it is open, matrices and boosters
/// that a rank's thread makes are those of all ranks together.
///
/// Rank 0 has the tracker, which introduces the ranks to each other. So each attempt of the stage
/// has a tracker of its own.
final class Collective implements AutoCloseable {
  private static final String ADDRESS = "dmlc_tracker_uri";
  private static final String PORT = "dmlc_tracker_port";
  private static final int ANY_PORT = 0;
  private static final int PATIENCE_SECONDS = 60;

  private final @Nullable RabitTracker tracker; // of rank 0

  private Collective(@Nullable RabitTracker tracker) {
    this.tracker = tracker;
  }

  /// Joins the other ranks; all have to.
  static Collective join(Rank rank) throws XGBoostError {
    BarrierTaskContext spark = BarrierTaskContext.get();
    RabitTracker tracker = rank.index() == 0 ? track(rank, spark) : null;
    String[] told = spark.allGather(tracker == null ? "" : text(tracker.getWorkerArgs()));
    Communicator.init(arguments(told[0], rank));
    return new Collective(tracker);
  }

  private static RabitTracker track(Rank rank, BarrierTaskContext spark) throws XGBoostError {
    String address = spark.getTaskInfos()[0].address(); // HOST:PORT of its executor
    String host = address.substring(0, address.lastIndexOf(':'));
    RabitTracker tracker = new RabitTracker(rank.count(), host, ANY_PORT, PATIENCE_SECONDS);
    if (!tracker.start()) {
      throw new IllegalStateException("Cannot start XGBoost's tracker on " + host + ".");
    }
    return tracker;
  }

  private static String text(Map<String, Object> tracker) {
    return tracker.get(ADDRESS) + " " + tracker.get(PORT);
  }

  private static Map<String, Object> arguments(String tracker, Rank rank) {
    int space = tracker.indexOf(' ');
    return Map.of(
        ADDRESS,
        tracker.substring(0, space),
        PORT,
        Integer.parseInt(tracker.substring(space + 1)),
        "dmlc_task_id",
        String.valueOf(rank.index()),
        "dmlc_timeout",
        PATIENCE_SECONDS); // for a rank that is gone
  }

  /// Leaves the others. Rank 0 waits for them.
  @Override
  public void close() throws XGBoostError {
    try {
      Communicator.shutdown();
    } finally {
      if (tracker != null) {
        tracker.waitFor(PATIENCE_SECONDS); // until all have left: it cannot be stopped before
        tracker.stop();
      }
    }
  }
}
