package dev.penstock.sample;

import java.util.Arrays;

/// Draws categories by their weights, by torch's two methods.
final class Multinomial {
  private static final int MOST_CATEGORIES = 1 << 24;

  private Multinomial() {}

  static long[] draw(MersenneTwister twister, double[] weights, long samples, boolean replacement) {
    check(weights, samples, replacement);
    return replacement && samples > 1
        ? withReplacement(twister, weights, (int) samples)
        : withoutReplacement(twister, weights, (int) samples);
  }

  /// Refuses impossible draws, as torch does, and also weights with an infinite sum or too few
  /// above 0, for which torch draws categories without weight.
  static void check(double[] weights, long samples, boolean replacement) {
    if (weights.length == 0 || weights.length > MOST_CATEGORIES) {
      throw refused(weights.length + " weights but expected 1 to " + MOST_CATEGORIES + ".");
    }
    double sum = 0;
    int positive = 0;
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] >= 0 && Double.isFinite(weights[i]))) {
        throw refused("weight " + i + " is " + weights[i] + " but must be 0 or more, and finite.");
      }
      sum += weights[i];
      positive += weights[i] > 0 ? 1 : 0;
    }
    if (positive == 0) {
      throw refused("all weights are 0 but one at least must be more.");
    }
    if (!Double.isFinite(sum)) {
      throw refused("the sum of the weights is beyond a double. Use smaller ones.");
    }
    if (samples < 1 || samples > Generator.LONGEST_ARRAY) {
      throw refused(
          "the number of samples is "
              + samples
              + " but must be 1 to "
              + Generator.LONGEST_ARRAY
              + ".");
    }
    if (!replacement && samples > positive) {
      throw refused(
          samples
              + " samples without replacement but only "
              + positive
              + " weights are above 0. Draw fewer, or with replacement.");
    }
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("Cannot draw by weights: " + why);
  }

  private static long[] withReplacement(MersenneTwister twister, double[] weights, int samples) {
    double[] ends = new double[weights.length]; // where each category ends in [0, 1]
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i];
      ends[i] = sum;
    }
    for (int i = 0; i < weights.length; i++) {
      ends[i] /= sum;
    }
    ends[weights.length - 1] = 1;
    long[] drawn = new long[samples];
    for (int i = 0; i < samples; i++) {
      drawn[i] = first(ends, twister.unit());
    }
    return drawn;
  }

  /// Returns the first index whose value is at least `number`.
  private static int first(double[] ascending, double number) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Races the categories: the speed of each is its weight divided by a time from the exponential
  /// distribution. The fastest are drawn, fastest first.
  private static long[] withoutReplacement(MersenneTwister twister, double[] weights, int samples) {
    double[] speeds = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      double time = -StrictMath.log1p(-twister.unit());
      speeds[i] = weights[i] == 0 ? -1 : weights[i] / time;
    }
    return samples == 1 ? new long[] {fastest(speeds)} : fastest(speeds, samples);
  }

  private static int fastest(double[] speeds) {
    int fastest = 0;
    for (int i = 1; i < speeds.length; i++) {
      fastest = speeds[i] > speeds[fastest] ? i : fastest;
    }
    return fastest;
  }

  private static long[] fastest(double[] speeds, int samples) {
    double[] ascending = speeds.clone();
    Arrays.sort(ascending);
    int slowest = ascending.length - samples;
    int[] taken = new int[ascending.length]; // counts equal speeds taken, at the first of them
    long[] drawn = new long[samples];
    for (int i = speeds.length - 1; i >= 0; i--) {
      if (speeds[i] >= ascending[slowest]) {
        int start = first(ascending, speeds[i]);
        int place = start + taken[start]++;
        if (place >= slowest) {
          drawn[ascending.length - 1 - place] = i;
        }
      }
    }
    return drawn;
  }
}
