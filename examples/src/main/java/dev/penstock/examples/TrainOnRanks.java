package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/// Trains one model in several processes, as they are started by torchrun and its like: each finds
/// its rank in the environment, reads its own rows, and adds its gradients to those of the others
/// after every step.
///
/// `examples/run ranks [PROCESSES [EPOCHS]]`: by default 2 processes and 3 epochs over the bundled
/// flights. The model is a logistic regression on the hour, the weekday and the distance.
final class TrainOnRanks {
  private TrainOnRanks() {}

  /// What a rank has done.
  ///
  /// @param rows how many it has read, in all epochs
  /// @param steps how many steps it has made
  /// @param weights the model, the same on all ranks
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Report(Rank rank, long rows, long steps, double[] weights, double logLoss, double auc) {
    String text() {
      return String.format(
          Locale.ROOT,
          "Rank %s: %d rows in %d steps. On held-out flights: log loss %.4f, AUC %.4f%n",
          rank,
          rows,
          steps,
          logLoss,
          auc);
    }
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    try (SampleFlights flights = SampleFlights.extract()) {
      Report report =
          train(flights.trainingFolder(), flights.heldOutFolder(), epochs, System.getenv());
      System.out.print(report.text());
    }
  }

  static Report train(Path training, Path heldOut, int epochs, Map<String, String> environment)
      throws IOException, InterruptedException {
    Rank rank = Ranks.fromEnvironment(environment); // the loader would find it by itself, too
    LateModel model = new LateModel();
    long rows = 0;
    long steps = 0;
    try (RankLink link = RankLink.connect(rank, environment, Duration.ofMinutes(1));
        DataLoader loader = loader(training, rank)) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        for (Batch batch : loader) { // as many batches on all ranks: nobody waits in vain
          double[] gradient;
          try (batch) {
            gradient = model.gradient(batch);
            rows += batch.rowCount();
          }
          link.sum(gradient);
          model.learn(gradient);
          steps++;
        }
      }
    }
    return report(rank, rows, steps, model, heldOut);
  }

  private static DataLoader loader(Path folder, Rank rank) {
    return DataLoader.of(
        Flights.in(folder).columns("date", "delay", "distance"),
        o -> o.batchSize(1024).workers(1).shuffle(true).rank(rank));
  }

  /// Tests the model on all flights that were held out: no rank has a part of these.
  private static Report report(Rank rank, long rows, long steps, LateModel model, Path heldOut) {
    double[] probabilities = new double[0];
    boolean[] late = new boolean[0];
    try (DataLoader loader = loader(heldOut, Rank.SINGLE)) {
      for (Batch batch : loader) {
        try (batch) {
          int at = late.length;
          probabilities = Arrays.copyOf(probabilities, at + batch.rowCount());
          late = Arrays.copyOf(late, at + batch.rowCount());
          for (int row = 0; row < batch.rowCount(); row++) {
            probabilities[at + row] = model.probability(batch, row);
            late[at + row] = LateModel.isLate(batch, row);
          }
        }
      }
    }
    return new Report(
        rank,
        rows,
        steps,
        model.weights(),
        Metrics.logLoss(probabilities, late),
        Metrics.auc(probabilities, late));
  }
}
