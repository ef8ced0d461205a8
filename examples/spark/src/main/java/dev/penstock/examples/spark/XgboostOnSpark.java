package dev.penstock.examples.spark;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.examples.Flights;
import dev.penstock.spark.SparkRanks;
import dev.penstock.split.Rank;
import dev.penstock.xgboost.BatchMatrix;
import dev.penstock.xgboost.QuantileMatrix;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/// Trains boosted trees on the ranks of a cluster: each rank streams its share of a table into a
/// matrix of its own, and XGBoost finds the trees of all.
///
/// `spark-submit ... TABLE HELD_OUT RANKS ROUNDS`: folders of Parquet files, Iceberg or Delta
/// tables, with the columns of the bundled flights; all machines see them.
public final class XgboostOnSpark {
  private static final int MAX_BIN = 256;
  private static final Map<String, Object> PARAMETERS =
      Map.of(
          "objective",
          "binary:logistic",
          "tree_method",
          "hist",
          "max_bin",
          MAX_BIN,
          "max_depth",
          6,
          "nthread",
          1); // a task has one core

  private XgboostOnSpark() {}

  /// What a rank did.
  ///
  /// @param rows the rows of its matrix
  /// @param seconds how long it read and trained
  /// @param memoryBytes the most memory that its process has taken; 0 if unknown
  /// @param model the trees, the same on all ranks
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Trained(long rows, double seconds, long memoryBytes, byte[] model)
      implements Serializable {}

  /// Runs the training.
  ///
  /// @param args the table, the rows to test the model on, the number of ranks and of rounds
  /// @throws IOException if the model cannot be read
  /// @throws XGBoostError if it cannot be tested
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, XGBoostError {
    String table = args[0];
    int ranks = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    SparkContext spark = new SparkContext(new SparkConf().setAppName("penstock-xgboost"));
    List<Trained> trained;
    try {
      trained = train(spark, table, ranks, rounds);
    } finally {
      spark.stop();
    }
    for (int rank = 0; rank < ranks; rank++) {
      Trained each = trained.get(rank);
      System.out.printf(
          Locale.ROOT,
          "Rank %d/%d: %d rows, %.1f s, %d MB%n",
          rank,
          ranks,
          each.rows(),
          each.seconds(),
          each.memoryBytes() >> 20);
    }
    System.out.printf(
        Locale.ROOT,
        "After %d rounds, on held-out rows: AUC %.4f%n",
        rounds,
        auc(trained.getFirst().model(), args[1]));
  }

  static List<Trained> train(SparkContext spark, String table, int ranks, int rounds) {
    return SparkRanks.run(
        spark,
        ranks,
        rank -> loader(table, rank),
        (rank, loader) -> {
          try (Collective _ = Collective.join(rank.rank())) {
            return train(loader, rounds);
          }
        });
  }

  static DataLoader loader(String table, Rank rank) {
    return DataLoader.of(
        Tables.open(table).columns("date", "delay", "distance"),
        o ->
            o.batchSize(4096)
                .workers(1)
                .transform(Flights.TRAINING)
                .features("x", Flights.NAMES)
                .rank(rank));
  }

  /// Trains on the rows of a loader, and on those of the other ranks of a [Collective].
  static Trained train(DataLoader loader, int rounds) throws XGBoostError {
    long start = System.nanoTime();
    QuantileMatrix rows = QuantileMatrix.of(loader, "x", "late", MAX_BIN); // with all ranks' bins
    Booster booster = XGBoost.train(rows, PARAMETERS, rounds, Map.of(), null, null);
    double seconds = (System.nanoTime() - start) / 1e9;
    Trained trained =
        new Trained(rows.rowNum(), seconds, ProcessMemory.peakBytes(), booster.toByteArray());
    booster.dispose();
    rows.dispose();
    return trained;
  }

  /// Returns how well a model tells late rows from others.
  static double auc(byte[] model, String heldOut) throws IOException, XGBoostError {
    Booster booster = XGBoost.loadModel(new ByteArrayInputStream(model));
    List<Double> probabilities = new ArrayList<>();
    List<Boolean> late = new ArrayList<>();
    try (DataLoader loader = loader(heldOut, Rank.SINGLE)) {
      for (Batch batch : loader) {
        try (batch;
            BatchMatrix rows = BatchMatrix.of(batch, "x", booster)) {
          float[][] predictions = booster.predict(rows);
          for (int row = 0; row < predictions.length; row++) {
            probabilities.add((double) predictions[row][0]);
            late.add(batch.tensor("late").getLong(row) > 0);
          }
        }
      }
    } finally {
      booster.dispose();
    }
    boolean[] labels = new boolean[late.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = late.get(row);
    }
    return Metrics.auc(probabilities.stream().mapToDouble(Double::doubleValue).toArray(), labels);
  }
}
