package dev.penstock.cli.demo;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A small classifier: how likely is it that a flight arrives more than 15 minutes late?
///
/// Logistic regression on hour, weekday, origin, destination, pairs of these, and distance. Each
/// category is hashed to one of 262,144 weights, so no vocabulary needs to be built first. Trained
/// by Adagrad on mini-batches: a batch's gradients are summed, then each weight that took part
/// moves once.
///
/// **Threads.** One at a time.
///
/// **Order.** The same batches in the same order give the same weights, bit for bit, on every
/// machine.
public final class FlightDelayModel {
  /// The columns that the model reads.
  public static final List<String> COLUMNS =
      List.of("date", "delay", "distance", "origin", "destination");

  /// A flight counts as late above this number of minutes.
  public static final int LATE_MINUTES = 15;

  private static final int BUCKETS = 1 << 18;
  private static final int CATEGORIES = 7;
  private static final long MICROS_PER_HOUR = 3_600_000_000L;
  // 1970-01-01 was a Thursday; Monday is 0.
  private static final int WEEKDAY_OF_1970 = 3;
  private static final double TYPICAL_MILES = 700;

  private final double learningRate;
  private final double[] weights = new double[BUCKETS];
  private final double[] squares = new double[BUCKETS];
  private final double[] gradients = new double[BUCKETS];
  private double distanceWeight;
  private double distanceSquares = 1;

  // The current batch: per row its buckets, its distance, its label and the model's answer.
  private int[] buckets = new int[0];
  private double[] distances = new double[0];
  private boolean[] late = new boolean[0];
  private double[] probabilities = new double[0];

  /// Makes an untrained model, whose answers are all one half.
  ///
  /// @param learningRate the step size of Adagrad, for example 0.05
  public FlightDelayModel(double learningRate) {
    this.learningRate = learningRate;
    Arrays.fill(squares, 1);
  }

  /// Learns from a batch.
  ///
  /// @param batch the columns [#COLUMNS]; not closed
  /// @return the mean log loss over the batch's rows, before learning from them
  public double train(Batch batch) {
    predict(batch);
    int rows = batch.rowCount();
    double loss = 0;
    double distanceGradient = 0;
    for (int row = 0; row < rows; row++) {
      loss += Metrics.logLoss(probabilities[row], late[row]);
      double gradient = probabilities[row] - (late[row] ? 1 : 0);
      for (int i = row * CATEGORIES; i < (row + 1) * CATEGORIES; i++) {
        gradients[buckets[i]] += gradient;
      }
      distanceGradient += gradient * distances[row];
    }
    for (int i = 0; i < rows * CATEGORIES; i++) {
      int bucket = buckets[i];
      double gradient = gradients[bucket];
      gradients[bucket] = 0;
      if (gradient != 0) {
        squares[bucket] += gradient * gradient;
        weights[bucket] -= learningRate * gradient / Math.sqrt(squares[bucket]);
      }
    }
    distanceSquares += distanceGradient * distanceGradient;
    distanceWeight -= learningRate * distanceGradient / Math.sqrt(distanceSquares);
    return loss / rows;
  }

  /// Predicts a batch.
  ///
  /// @param batch the columns [#COLUMNS]; not closed
  /// @return a probability per row, in an array that the next call reuses and that may be longer
  public double[] predict(Batch batch) {
    read(batch);
    for (int row = 0; row < batch.rowCount(); row++) {
      double score = distanceWeight * distances[row];
      for (int i = row * CATEGORIES; i < (row + 1) * CATEGORIES; i++) {
        score += weights[buckets[i]];
      }
      // StrictMath gives the same bits on every machine.
      probabilities[row] = 1 / (1 + StrictMath.exp(-score));
    }
    return probabilities;
  }

  /// Returns the labels of the batch that was trained or predicted last.
  ///
  /// @return true for late, per row, in an array that the next call reuses and that may be longer
  public boolean[] labels() {
    return late;
  }

  /// Turns columns into the model's inputs: here the tensors are read.
  private void read(Batch batch) {
    int rows = batch.rowCount();
    grow(rows);
    Tensor date = batch.tensor("date");
    Tensor delay = batch.tensor("delay");
    Tensor distance = batch.tensor("distance");
    List<@Nullable String> origins = batch.strings("origin");
    List<@Nullable String> destinations = batch.strings("destination");
    for (int row = 0; row < rows; row++) {
      long hours = Math.floorDiv(date.getLong(row), MICROS_PER_HOUR);
      int hour = (int) Math.floorMod(hours, 24L);
      int weekday = (int) Math.floorMod(Math.floorDiv(hours, 24L) + WEEKDAY_OF_1970, 7L);
      int origin = String.valueOf(origins.get(row)).hashCode();
      int destination = String.valueOf(destinations.get(row)).hashCode();
      int at = row * CATEGORIES;
      buckets[at] = bucket(0, hour, 0);
      buckets[at + 1] = bucket(1, hour, weekday);
      buckets[at + 2] = bucket(2, origin, 0);
      buckets[at + 3] = bucket(3, destination, 0);
      buckets[at + 4] = bucket(4, origin, destination);
      buckets[at + 5] = bucket(5, origin, hour);
      buckets[at + 6] = bucket(6, destination, hour);
      distances[row] = distance.getLong(row) / TYPICAL_MILES - 1;
      late[row] = delay.getLong(row) > LATE_MINUTES;
    }
  }

  private void grow(int rows) {
    if (late.length < rows) {
      buckets = new int[rows * CATEGORIES];
      distances = new double[rows];
      late = new boolean[rows];
      probabilities = new double[rows];
    }
  }

  /// Hashes a category, or a pair of them, to the index of its weight.
  private static int bucket(int feature, int first, int second) {
    long mixed =
        ((feature * 31L + first) * 0x9E37_79B9_7F4A_7C15L) ^ (second * 0xC2B2_AE3D_27D4_EB4FL);
    mixed ^= mixed >>> 32;
    mixed *= 0xFF51_AFD7_ED55_8CCDL;
    return (int) (mixed >>> 46);
  }
}
