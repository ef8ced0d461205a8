package dev.penstock.internal.compose;

import dev.penstock.internal.plan.BatchSteps;
import dev.penstock.internal.plan.BatchSteps.Stretch;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.stats.RankCosts;
import java.util.List;

/// Adds up what the steps of all ranks cost.
///
/// **Threads.** Any, several at once.
public final class StepCosts {
  private final long unitsOfStep;
  private final int fullSteps;
  private final double[][] inTurn;
  private final double[][] balanced;

  /// @param rows how many places all ranks have together
  /// @param unitsOfStep how many places a step has
  public StepCosts(Dealing dealing, long rows, long unitsOfStep) {
    this.unitsOfStep = unitsOfStep;
    this.fullSteps = Math.toIntExact(dealing.least(rows) / unitsOfStep);
    int steps = Math.toIntExact(Math.ceilDiv(dealing.most(rows), unitsOfStep));
    this.inTurn = new double[dealing.world()][steps];
    this.balanced = new double[dealing.world()][steps];
  }

  /// Adds what a window has.
  ///
  /// @param costs of each unit
  /// @param usual the units in the order in which they would come without balancing
  /// @param order the same, balanced
  void add(BatchSteps steps, double[] costs, int[] usual, int[] order) {
    List<Stretch> stretches = steps.stretches();
    for (int i = 0; i < stretches.size(); i++) {
      Stretch stretch = stretches.get(i);
      int end = i + 1 < stretches.size() ? stretches.get(i + 1).first() : costs.length;
      if (stretch.rank() < balanced.length) { // else no rank gets these
        add(inTurn[stretch.rank()], stretch, end, costs, usual);
        add(balanced[stretch.rank()], stretch, end, costs, order);
      }
    }
  }

  private void add(double[] sums, Stretch stretch, int end, double[] costs, int[] order) {
    synchronized (sums) { // neighbouring windows may have a part of one step each
      for (int place = stretch.first(); place < end; place++) {
        int step = (int) ((stretch.place() + place - stretch.first()) / unitsOfStep);
        sums[step] += costs[order[place]];
      }
    }
  }

  /// Returns the costs, once nobody adds any more.
  public RankCosts costs() {
    return new RankCosts(inTurn, balanced, fullSteps);
  }
}
