package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.model.Model;
import dev.penstock.schema.DataType;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import dev.penstock.xgboost.QuantileMatrix;
import dev.penstock.xgboost.XgboostModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Trains trees that tell a flight's delay, and scores a table of flights with them.
///
/// `examples/run night TABLE MODEL OUT`: trains on the folder TABLE and saves MODEL, then scores
/// TABLE and writes to the folder OUT; a run that was stopped goes on.
final class ScoreEveryNight {
  private ScoreEveryNight() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, InterruptedException, XGBoostError {
    if (args.length != 3) {
      throw new IllegalArgumentException("Expected TABLE MODEL OUT, got " + List.of(args) + ".");
    }
    Path model = Path.of(args[1]);
    train(args[0], model);
    ScoreResult result = score(args[0], model, args[2]);
    System.out.println("Scored " + result.rows() + " flights, see " + args[2]);
  }

  static void train(String table, Path model) throws XGBoostError {
    // @start region=night-train
    StructuredDataset flights =
        new StructuredDataset(table)
            .columns("distance", "delay")
            .cast("delay", new DataType.Floating(32));
    QuantileMatrix rows;
    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(4096).features("x", "distance"))) {
      rows = QuantileMatrix.of(loader, "x", "delay", 256);
    }
    Map<String, Object> parameters = Map.of("tree_method", "hist", "max_bin", 256);
    Booster trees = XGBoost.train(rows, parameters, 10, Map.of(), null, null);
    trees.setFeatureNames(new String[] {"distance"}); // saved with the model
    trees.saveModel(model.toString());
    // @end
    trees.dispose();
    rows.dispose();
  }

  static ScoreResult score(String table, Path file, String out)
      throws IOException, InterruptedException {
    // @start region=night-score
    try (Model model = XgboostModel.open(file, 2)) { // by two threads at once
      return Scorer.of(new StructuredDataset(table), model)
          .keys("date", "origin", "destination")
          .workers(2)
          .writeTo(out);
    }
    // @end
  }

  static ScoreResult rule(String table, String out) throws IOException, InterruptedException {
    // @start region=night-rule
    Model rule = (Batch batch) -> Map.of("miles", batch.tensor("distance"));
    return Scorer.of(new StructuredDataset(table).columns("date", "distance"), rule)
        .keys("date")
        .writeTo(out);
    // @end
  }
}
