package dev.penstock.examples;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A logistic regression that tells whether a flight arrives more than 15 minutes late, by its
/// hour, weekday and distance. It reads the columns `date`, `delay` and `distance`.
///
/// **Training.** A step is [#gradient] of a batch on each rank, the sum of these over all ranks,
/// and [#learn] with the sum. So all ranks have the same model.
public final class LateModel {
  private static final int LATE_MINUTES = 15;
  private static final int HOURS = 24;
  private static final int WEEKDAYS = 7;
  private static final int WEEKDAY_OF_1970 = 3; // a Thursday; Monday is 0
  private static final int MILES = HOURS + WEEKDAYS;
  private static final int WEIGHTS = MILES + 1;
  private static final long MICROS_PER_HOUR = 3_600_000_000L;
  private static final double LEARNING_RATE = 0.1;

  private final double[] weights = new double[WEIGHTS];
  private final double[] squares = new double[WEIGHTS]; // of the gradients so far, for Adagrad

  /// Makes a model that has learnt nothing.
  public LateModel() {
    Arrays.fill(squares, 1);
  }

  /// Reads a model.
  ///
  /// @param bytes from [#toBytes()]
  /// @return the model
  public static LateModel of(byte[] bytes) {
    LateModel model = new LateModel();
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(model.weights).get(model.squares);
    return model;
  }

  /// Returns all that it has learnt.
  ///
  /// @return bytes for [#of(byte[])]
  public byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * WEIGHTS * Double.BYTES);
    bytes.asDoubleBuffer().put(weights).put(squares);
    return bytes.array();
  }

  /// Returns the weights.
  ///
  /// @return a copy
  public double[] weights() {
    return weights.clone();
  }

  /// Returns the sum of the rows' gradients.
  ///
  /// @param batch the rows
  /// @return as many numbers on all ranks
  public double[] gradient(Batch batch) {
    double[] gradient = new double[WEIGHTS];
    for (int row = 0; row < batch.rowCount(); row++) {
      double error = probability(batch, row) - (isLate(batch, row) ? 1 : 0);
      gradient[hour(batch, row)] += error;
      gradient[HOURS + weekday(batch, row)] += error;
      gradient[MILES] += error * thousandMiles(batch, row);
    }
    return gradient;
  }

  /// Moves each weight, by Adagrad.
  ///
  /// @param gradient the sum over all ranks
  public void learn(double[] gradient) {
    for (int i = 0; i < WEIGHTS; i++) {
      squares[i] += gradient[i] * gradient[i];
      weights[i] -= LEARNING_RATE * gradient[i] / Math.sqrt(squares[i]);
    }
  }

  /// Returns how likely a flight is late.
  ///
  /// @param batch has the flight
  /// @param row its row
  /// @return from 0 to 1
  public double probability(Batch batch, int row) {
    double score =
        weights[hour(batch, row)]
            + weights[HOURS + weekday(batch, row)]
            + weights[MILES] * thousandMiles(batch, row);
    return 1 / (1 + Math.exp(-score));
  }

  /// Returns whether a flight was late.
  ///
  /// @param batch has the flight
  /// @param row its row
  /// @return what it has to be told as
  public static boolean isLate(Batch batch, int row) {
    return batch.tensor("delay").getLong(row) > LATE_MINUTES;
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

  private static double thousandMiles(Batch batch, int row) {
    return batch.tensor("distance").getLong(row) / 1000.0;
  }
}
