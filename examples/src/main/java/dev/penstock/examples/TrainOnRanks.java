package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import java.io.IOException;
import java.net.InetSocketAddress;
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
  private static final int LATE_MINUTES = 15;
  private static final int HOURS = 24;
  private static final int WEEKDAYS = 7;
  private static final int WEEKDAY_OF_1970 = 3; // a Thursday; Monday is 0
  private static final int MILES = HOURS + WEEKDAYS;
  private static final int WEIGHTS = MILES + 1;
  private static final long MICROS_PER_HOUR = 3_600_000_000L;
  private static final double LEARNING_RATE = 0.1;

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
    InetSocketAddress first =
        new InetSocketAddress(
            environment.getOrDefault("MASTER_ADDR", "127.0.0.1"),
            Integer.parseInt(environment.getOrDefault("MASTER_PORT", "29500")));
    double[] weights = new double[WEIGHTS];
    double[] squares = new double[WEIGHTS];
    Arrays.fill(squares, 1);
    long rows = 0;
    long steps = 0;
    try (RankLink link = RankLink.connect(rank, first, Duration.ofMinutes(1));
        DataLoader loader = loader(training, rank)) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        for (Batch batch : loader) { // as many batches on all ranks: nobody waits in vain
          double[] gradient;
          try (batch) {
            gradient = gradient(batch, weights);
            rows += batch.rowCount();
          }
          link.sum(gradient);
          learn(weights, squares, gradient);
          steps++;
        }
      }
    }
    return report(rank, rows, steps, weights, heldOut);
  }

  private static DataLoader loader(Path folder, Rank rank) {
    return Flights.in(folder)
        .columns("date", "delay", "distance")
        .createDataLoader(o -> o.batchSize(1024).workers(1).shuffle(true).rank(rank));
  }

  /// Returns the sum of the rows' gradients.
  private static double[] gradient(Batch batch, double[] weights) {
    double[] gradient = new double[WEIGHTS];
    for (int row = 0; row < batch.rowCount(); row++) {
      int hour = hour(batch, row);
      int weekday = weekday(batch, row);
      double miles = batch.tensor("distance").getLong(row) / 1000.0;
      double error = probability(batch, row, weights) - (isLate(batch, row) ? 1 : 0);
      gradient[hour] += error;
      gradient[HOURS + weekday] += error;
      gradient[MILES] += error * miles;
    }
    return gradient;
  }

  /// Moves each weight, by Adagrad: the same move on all ranks.
  private static void learn(double[] weights, double[] squares, double[] gradient) {
    for (int i = 0; i < WEIGHTS; i++) {
      squares[i] += gradient[i] * gradient[i];
      weights[i] -= LEARNING_RATE * gradient[i] / Math.sqrt(squares[i]);
    }
  }

  private static double probability(Batch batch, int row, double[] weights) {
    double score =
        weights[hour(batch, row)]
            + weights[HOURS + weekday(batch, row)]
            + weights[MILES] * batch.tensor("distance").getLong(row) / 1000.0;
    return 1 / (1 + Math.exp(-score));
  }

  private static int hour(Batch batch, int row) {
    return Math.floorMod(hours(batch, row), HOURS);
  }

  private static int weekday(Batch batch, int row) {
    return Math.floorMod(Math.floorDiv(hours(batch, row), HOURS) + WEEKDAY_OF_1970, WEEKDAYS);
  }

  private static long hours(Batch batch, int row) {
    Tensor date = batch.tensor("date"); // microseconds
    return Math.floorDiv(date.getLong(row), MICROS_PER_HOUR);
  }

  private static boolean isLate(Batch batch, int row) {
    return batch.tensor("delay").getLong(row) > LATE_MINUTES;
  }

  /// Tests the model on all flights that were held out: no rank has a part of these.
  private static Report report(Rank rank, long rows, long steps, double[] weights, Path heldOut) {
    double[] probabilities = new double[0];
    boolean[] late = new boolean[0];
    try (DataLoader loader = loader(heldOut, Rank.SINGLE)) {
      for (Batch batch : loader) {
        try (batch) {
          int at = late.length;
          probabilities = Arrays.copyOf(probabilities, at + batch.rowCount());
          late = Arrays.copyOf(late, at + batch.rowCount());
          for (int row = 0; row < batch.rowCount(); row++) {
            probabilities[at + row] = probability(batch, row, weights);
            late[at + row] = isLate(batch, row);
          }
        }
      }
    }
    return new Report(
        rank,
        rows,
        steps,
        weights,
        Metrics.logLoss(probabilities, late),
        Metrics.auc(probabilities, late));
  }
}
