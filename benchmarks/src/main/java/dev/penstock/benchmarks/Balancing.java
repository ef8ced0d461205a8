package dev.penstock.benchmarks;

import dev.penstock.internal.compose.EvenBins;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BiFunction;

/// Ways to deal the rows of a window to batches, each with a number of rows: dealt in turn, longest
/// first (what Penstock does), and balanced largest differencing (W. Michiels, J. Korst, E. Aarts,
/// J. van Leeuwen, Performance ratios for the differencing method applied to the balanced number
/// partitioning problem, 2003), Karmarkar and Karp's method with a number of things for each set.
///
/// Lengths are log-normal, sigma 1; eight ranks have the batches of a step by their order of cost.
final class Balancing {
  private static final int RANKS = 8;
  private static final int ROWS = 1 << 20; // of each rank, at least

  private Balancing() {}

  public static void main(String[] arguments) {
    System.out.println(
        "| rows of a batch | window | way | within 0.02 of the mean | overall | ns a row |");
    System.out.println("|---:|---:|---|---:|---:|---:|");
    for (int batch : new int[] {8, 16, 32, 64}) {
      for (int window : new int[] {8_192, 65_536, 131_072, 262_144}) {
        measure(batch, window, "in turn", Balancing::inTurn);
        measure(batch, window, "longest first", Balancing::longestFirst);
        measure(batch, window, "differencing", Balancing::differencing);
      }
    }
  }

  private static void measure(
      int batch, int window, String name, BiFunction<double[], Integer, double[]> way) {
    Random random = new Random(7);
    int steps = window / batch;
    long within = 0;
    long all = 0;
    double costliest = 0;
    double means = 0;
    long nanos = 0;
    for (int round = 0; round < Math.max(2, ROWS / window); round++) {
      double[][] sums = new double[RANKS][];
      for (int rank = 0; rank < RANKS; rank++) {
        double[] lengths = new double[window];
        Arrays.setAll(lengths, _ -> Math.max(1, Math.round(Math.exp(random.nextGaussian() + 5.5))));
        long start = System.nanoTime();
        sums[rank] = way.apply(lengths, batch);
        nanos += System.nanoTime() - start;
      }
      for (int step = 0; step < steps; step++) {
        int at = step;
        double most = Arrays.stream(sums).mapToDouble(each -> each[at]).max().orElseThrow();
        double mean = Arrays.stream(sums).mapToDouble(each -> each[at]).average().orElseThrow();
        within += most <= 1.02 * mean ? 1 : 0;
        costliest += most;
        means += mean;
        all++;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %d | %,d | %s | %.2f %% | %.2f %% | %d |%n",
        batch,
        window,
        name,
        100.0 * within / all,
        100 * (costliest / means - 1),
        nanos / (all * batch * RANKS));
  }

  private static double[] inTurn(double[] lengths, int batch) {
    double[] sums = new double[lengths.length / batch];
    for (int row = 0; row < lengths.length; row++) {
      sums[row / batch] += lengths[row];
    }
    return sums;
  }

  private static double[] longestFirst(double[] lengths, int batch) {
    int[] sizes = new int[lengths.length / batch];
    Arrays.fill(sizes, batch);
    int[] rows = EvenBins.fill(lengths, sizes);
    double[] sums = new double[sizes.length];
    for (int i = 0; i < rows.length; i++) {
      sums[i / batch] += lengths[rows[i]];
    }
    Arrays.sort(sums);
    return sums;
  }

  /// Sums of some batches so far, in ascending order.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Partial(double[] sums) {
    double difference() {
      return sums[sums.length - 1] - sums[0];
    }

    /// Adds the largest of one to the smallest of the other.
    Partial with(Partial other) {
      double[] both = new double[sums.length];
      for (int i = 0; i < both.length; i++) {
        both[i] = sums[i] + other.sums[both.length - 1 - i];
      }
      Arrays.sort(both);
      return new Partial(both);
    }
  }

  private static double[] differencing(double[] lengths, int batch) {
    double[] sorted = lengths.clone();
    Arrays.sort(sorted);
    int bins = lengths.length / batch;
    PriorityQueue<Partial> open =
        new PriorityQueue<>(Comparator.comparingDouble(Partial::difference).reversed());
    for (int i = 0; i < batch; i++) {
      open.add(new Partial(Arrays.copyOfRange(sorted, i * bins, (i + 1) * bins)));
    }
    while (open.size() > 1) {
      open.add(open.remove().with(open.remove()));
    }
    return open.remove().sums();
  }
}
