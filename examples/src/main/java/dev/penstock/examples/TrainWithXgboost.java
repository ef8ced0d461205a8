package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.xgboost.BatchMatrix;
import dev.penstock.xgboost.QuantileMatrix;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Trains boosted trees with XGBoost, reports how good they are on flights that were held out,
/// saves them, and scores these flights as a program of its own would.
///
/// `examples/run xgboost [ROUNDS]`: by default 30 rounds over the bundled flights. Writes
/// `late.ubj`, the model, and `predictions.csv`.
final class TrainWithXgboost {
  private static final int MAX_BIN = 256;

  private TrainWithXgboost() {}

  /// What the trees say of the held-out flights.
  ///
  /// @param accuracy the part that is told rightly, by what is likelier
  /// @param mean of their probabilities
  record Report(double logLoss, double auc, double accuracy, double mean) {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, XGBoostError {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 30;
    try (SampleFlights flights = SampleFlights.extract()) {
      Path model = Path.of("late.ubj");
      Path predictions = Path.of("predictions.csv");
      Report report = train(flights.trainingFolder(), flights.heldOutFolder(), rounds, model);
      System.out.printf(
          Locale.ROOT,
          "After %d rounds, on held-out flights: log loss %.4f, AUC %.4f, accuracy %.4f%n",
          rounds,
          report.logLoss(),
          report.auc(),
          report.accuracy());
      long rows = score(model, flights.heldOutFolder(), predictions);
      System.out.println("Scored " + rows + " flights, see " + predictions);
    }
  }

  static Report train(Path training, Path heldOut, int rounds, Path model) throws XGBoostError {
    // @start region=xgboost-train
    QuantileMatrix trainingRows = matrix(training, null);
    QuantileMatrix heldOutRows = matrix(heldOut, trainingRows); // in the bins of training
    Map<String, Object> parameters =
        Map.of(
            "objective",
            "binary:logistic",
            "tree_method",
            "hist",
            "max_bin",
            MAX_BIN,
            "max_depth",
            6);
    Booster booster = XGBoost.train(trainingRows, parameters, rounds, Map.of(), null, null);
    float[][] predictions = booster.predict(heldOutRows);
    booster.setFeatureNames(Flights.NAMES.toArray(String[]::new)); // saved with the model
    booster.saveModel(model.toString());
    // @end
    Report report = report(predictions, heldOutRows.getLabel());
    booster.dispose();
    heldOutRows.dispose();
    trainingRows.dispose();
    return report;
  }

  // @start region=xgboost-matrix
  private static QuantileMatrix matrix(
      Path folder, @org.jspecify.annotations.Nullable QuantileMatrix bins) throws XGBoostError {
    try (DataLoader loader =
        DataLoader.of(
            Flights.in(folder).columns("date", "delay", "distance"), // tensors only
            o ->
                o.batchSize(4096)
                    .workers(2)
                    .transform(Flights.TRAINING)
                    .features("x", Flights.NAMES))) {
      return bins == null
          ? QuantileMatrix.of(loader, "x", "late", MAX_BIN)
          : QuantileMatrix.of(loader, "x", "late", MAX_BIN, bins);
    }
  }

  // @end

  /// Scores all flights of a folder, whose delays are not known.
  ///
  /// @return the rows written
  static long score(Path model, Path folder, Path output) throws IOException, XGBoostError {
    long count = 0;
    // @start region=xgboost-score
    Booster booster = XGBoost.loadModel(model.toString());
    String[] names = booster.getFeatureNames(); // in the order of training
    try (DataLoader loader =
            DataLoader.of(
                Flights.in(folder).columns("date", "distance", "origin", "destination"),
                o -> o.batchSize(4096).transform(Flights.FEATURES).features("x", names));
        BufferedWriter csv = Files.newBufferedWriter(output)) {
      csv.write(Predictions.HEADER);
      for (Batch batch : loader) {
        try (batch;
            BatchMatrix rows = BatchMatrix.of(batch, "x", booster)) {
          Predictions.write(csv, batch, booster.predict(rows));
          count += batch.rowCount();
        }
      }
    }
    // @end
    booster.dispose();
    return count;
  }

  private static Report report(float[][] predictions, float[] labels) {
    double[] probabilities = new double[labels.length];
    boolean[] late = new boolean[labels.length];
    int right = 0;
    for (int row = 0; row < late.length; row++) {
      probabilities[row] = predictions[row][0];
      late[row] = labels[row] > 0;
      right += (probabilities[row] > 0.5) == late[row] ? 1 : 0;
    }
    return new Report(
        Metrics.logLoss(probabilities, late),
        Metrics.auc(probabilities, late),
        (double) right / late.length,
        Arrays.stream(probabilities).average().orElseThrow());
  }
}
