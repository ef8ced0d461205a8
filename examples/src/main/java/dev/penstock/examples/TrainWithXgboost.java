package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.xgboost.QuantileMatrix;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Trains boosted trees with XGBoost and reports how good they are on flights that were held out.
///
/// `examples/run xgboost [ROUNDS]`: by default 30 rounds over the bundled flights.
final class TrainWithXgboost {
  private static final int MAX_BIN = 256;

  private TrainWithXgboost() {}

  /// What the trees say of the held-out flights.
  ///
  /// @param accuracy the part that is told rightly, by what is likelier
  record Report(double logLoss, double auc, double accuracy) {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws XGBoostError {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 30;
    try (SampleFlights flights = SampleFlights.extract()) {
      Report report = train(flights.trainingFolder(), flights.heldOutFolder(), rounds);
      System.out.printf(
          Locale.ROOT,
          "After %d rounds, on held-out flights: log loss %.4f, AUC %.4f, accuracy %.4f%n",
          rounds,
          report.logLoss(),
          report.auc(),
          report.accuracy());
    }
  }

  static Report train(Path training, Path heldOut, int rounds) throws XGBoostError {
    // @start region=xgboost-train
    QuantileMatrix trainingRows = matrix(training, null);
    QuantileMatrix heldOutRows = matrix(heldOut, trainingRows);
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
                    .transform(Flights.FEATURES)
                    .features("x", Flights.NAMES))) {
      return bins == null
          ? QuantileMatrix.of(loader, "x", "late", MAX_BIN)
          : QuantileMatrix.of(loader, "x", "late", MAX_BIN, bins);
    }
  }

  // @end

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
        (double) right / late.length);
  }
}
