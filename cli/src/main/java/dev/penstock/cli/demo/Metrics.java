package dev.penstock.cli.demo;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Measures the quality of predicted probabilities on rows with known labels.
public final class Metrics {
  private static final double SMALLEST = 1e-15;

  private Metrics() {}

  /// Returns the log loss of one prediction: minus the logarithm of the probability predicted for
  /// the actual label. It is about 35 at most, because probabilities are kept off 0 and 1.
  public static double logLoss(double probability, boolean label) {
    double given = label ? probability : 1 - probability;
    return -StrictMath.log(Math.clamp(given, SMALLEST, 1));
  }

  /// Returns the mean log loss over all rows, 0 without any.
  public static double logLoss(double[] probabilities, boolean[] labels) {
    double sum = 0;
    for (int row = 0; row < labels.length; row++) {
      sum += logLoss(probabilities[row], labels[row]);
    }
    return labels.length == 0 ? 0 : sum / labels.length;
  }

  /// Returns the area under the ROC curve: how often a true row got a higher probability than a
  /// false one, counting ties half. It is 0.5 when all rows have one label or one probability.
  public static double auc(double[] probabilities, boolean[] labels) {
    int rows = labels.length;
    int[] order =
        IntStream.range(0, rows)
            .boxed()
            .sorted((a, b) -> Double.compare(probabilities[a], probabilities[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    double rankSum = 0;
    long positives = 0;
    for (int start = 0; start < rows; ) {
      int end = start;
      long tied = 0;
      while (end < rows && probabilities[order[end]] == probabilities[order[start]]) {
        tied += labels[order[end]] ? 1 : 0;
        end++;
      }
      // Rows that tie share the mean of their ranks, counted from 1.
      rankSum += tied * (start + 1 + end) / 2.0;
      positives += tied;
      start = end;
    }
    long negatives = rows - positives;
    return positives == 0 || negatives == 0
        ? 0.5
        : (rankSum - positives * (positives + 1) / 2.0) / ((double) positives * negatives);
  }

  public static double[] constant(double value, int length) {
    double[] array = new double[length];
    Arrays.fill(array, value);
    return array;
  }
}
