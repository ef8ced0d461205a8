package dev.penstock.stats;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.ToDoubleBiFunction;

/// What the batches of all ranks cost at each step of an epoch, as they are balanced and as they
/// would be otherwise.
///
/// A step is one of the optimizer: of several batches where
/// [dev.penstock.compose.Balance#accumulate()] says so. The steps are those that all ranks have in
/// full.
///
/// Immutable, unless the arrays that it was made of are changed; share it freely among threads.
public final class RankCosts {
  private final double[][] inTurn;
  private final double[][] balanced;
  private final int steps;

  /// How much the costliest rank is above the mean of the ranks, as a share of that: 0.72 for 72 %.
  /// A step takes as long as its costliest rank.
  ///
  /// @param median of all steps; 0 without steps, as are the others
  /// @param p99 what 99 % of the steps do not exceed
  /// @param most of all steps
  /// @param within2 which share of the steps is at most 2 % above the mean, in `[0, 1]`
  /// @param overall the sum of the costliest ranks of all steps above the sum of the means
  public record Imbalance(double median, double p99, double most, double within2, double overall) {}

  /// Makes one of measured costs, which are not copied.
  ///
  /// @param inTurn by rank and step, as the batches would be without balancing
  /// @param balanced by rank and step
  /// @param steps how many steps count, at most as many as every rank has
  public RankCosts(double[][] inTurn, double[][] balanced, int steps) {
    this.inTurn = inTurn;
    this.balanced = balanced;
    this.steps = steps;
  }

  /// {@return how many ranks there are}
  public int ranks() {
    return balanced.length;
  }

  /// {@return how many steps there are}
  public int steps() {
    return steps;
  }

  /// {@return the cost of a step, balanced}
  ///
  /// @param rank in `[0, ranks())`
  /// @param step in `[0, steps())`
  public double balanced(int rank, int step) {
    return balanced[rank][Objects.checkIndex(step, steps)];
  }

  /// {@return the cost of a step as it would be without balancing}
  ///
  /// @param rank in `[0, ranks())`
  /// @param step in `[0, steps())`
  public double inTurn(int rank, int step) {
    return inTurn[rank][Objects.checkIndex(step, steps)];
  }

  /// {@return how unequal the ranks are, balanced}
  public Imbalance balanced() {
    return imbalance(this::balanced);
  }

  /// {@return how unequal the ranks would be without balancing}
  public Imbalance inTurn() {
    return imbalance(this::inTurn);
  }

  private Imbalance imbalance(ToDoubleBiFunction<Integer, Integer> cost) {
    double[] above = new double[steps];
    double costliest = 0;
    double means = 0;
    for (int step = 0; step < steps; step++) {
      double most = 0;
      double sum = 0;
      for (int rank = 0; rank < ranks(); rank++) {
        double each = cost.applyAsDouble(rank, step);
        most = Math.max(most, each);
        sum += each;
      }
      above[step] = sum == 0 ? 0 : most * ranks() / sum - 1;
      costliest += most;
      means += sum / ranks();
    }
    Arrays.sort(above);
    return new Imbalance(
        at(above, 0.5),
        at(above, 0.99),
        at(above, 1),
        steps == 0 ? 0 : (double) Arrays.stream(above).filter(each -> each <= 0.02).count() / steps,
        means == 0 ? 0 : costliest / means - 1);
  }

  /// Returns the least of sorted values that is not below a share of them.
  private static double at(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
