package dev.penstock.internal.compose;

import dev.penstock.compose.Balance;
import dev.penstock.internal.plan.BatchSteps;
import dev.penstock.internal.plan.BatchSteps.Stretch;
import dev.penstock.internal.plan.StepLevels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Puts what is made of a window, units such as rows, packs or batches, into steps that cost nearly
/// the same; where they do not, expensive ones come at the same steps on all ranks.
final class EvenSteps {
  private final double[] costs;
  private final long unitsOfBatch;
  private final long unitsOfStep;
  private final StepLevels levels;

  /// A step, or as much of it as the window has.
  private record Step(long place, int from, int to) {
    int size() {
      return to - from;
    }
  }

  private EvenSteps(double[] costs, int unitsOfBatch, Balance balance, StepLevels levels) {
    this.costs = costs;
    this.unitsOfBatch = unitsOfBatch;
    this.unitsOfStep = (long) unitsOfBatch * balance.accumulate();
    this.levels = levels;
  }

  /// Returns the units in the order of their places; those of a batch in their own order.
  ///
  /// @param costs of each unit
  static int[] order(
      double[] costs, int unitsOfBatch, Balance balance, BatchSteps steps, StepLevels levels) {
    if (costs.length == 0) {
      return new int[0];
    }
    EvenSteps even = new EvenSteps(costs, unitsOfBatch, balance, levels);
    return even.order(steps.stretches());
  }

  private int[] order(List<Stretch> stretches) {
    int[] all = IntStream.range(0, costs.length).toArray();
    int[] order = new int[costs.length];
    List<Step> steps =
        IntStream.range(0, stretches.size())
            .mapToObj(i -> cut(stretches, i))
            .flatMap(each -> cut(each, unitsOfStep).stream())
            .toList();
    fill(all, steps, unitsOfStep, step -> levels.level(step.place() / unitsOfStep), order);
    for (Step step : steps) {
      batches(step, order);
    }
    return order;
  }

  private Step cut(List<Stretch> stretches, int i) {
    boolean isLast = i + 1 == stretches.size();
    Stretch here = stretches.get(i);
    return new Step(
        here.place(), here.first(), isLast ? costs.length : stretches.get(i + 1).first());
  }

  /// Cuts places at multiples of a size.
  private static List<Step> cut(Step whole, long size) {
    List<Step> parts = new ArrayList<>();
    for (int from = whole.from(); from < whole.to(); ) {
      long place = whole.place() + from - whole.from();
      int to = (int) Math.min(whole.to(), from + size - place % size);
      parts.add(new Step(place, from, to));
      from = to;
    }
    return parts;
  }

  /// Puts the units of a step into its batches.
  private void batches(Step step, int[] order) {
    List<Step> batches = cut(step, unitsOfBatch);
    if (batches.size() > 1) {
      int[] units = Arrays.copyOfRange(order, step.from(), step.to());
      long number = step.place() / unitsOfStep;
      int[] turns = levels.batches(number, (int) (unitsOfStep / unitsOfBatch));
      ToDoubleFunction<Step> turn =
          batch -> turns[(int) (batch.place() % unitsOfStep / unitsOfBatch)];
      fill(units, batches, unitsOfBatch, turn, order);
    }
    for (Step batch : batches) {
      Arrays.sort(order, batch.from(), batch.to());
    }
  }

  /// Puts units into steps, or into the batches of one.
  ///
  /// @param full how many units a whole one has; those that have fewer keep their places
  /// @param level of one that has all: the cheapest go where it is lowest
  /// @param order receives the units
  private void fill(
      int[] units, List<Step> steps, long full, ToDoubleFunction<Step> level, int[] order) {
    int[] sizes = steps.stream().mapToInt(Step::size).toArray();
    int[] filled =
        EvenBins.fill(Arrays.stream(units).mapToDouble(unit -> costs[unit]).toArray(), sizes);
    int[] starts = new int[sizes.length];
    double[] sums = new double[sizes.length];
    int at = 0;
    for (int bin = 0; bin < sizes.length; bin++) {
      starts[bin] = at;
      for (int end = at + sizes[bin]; at < end; at++) {
        sums[bin] += costs[units[filled[at]]];
      }
    }
    double[] levelOf = steps.stream().mapToDouble(level).toArray();
    int[] byCost = sorted(sizes, full, sums);
    int[] byLevel = sorted(sizes, full, levelOf);
    for (int i = 0; i < byCost.length; i++) {
      copy(units, filled, starts[byCost[i]], steps.get(byLevel[i]), order);
    }
    for (int bin = 0; bin < sizes.length; bin++) {
      if (sizes[bin] < full) {
        copy(units, filled, starts[bin], steps.get(bin), order);
      }
    }
  }

  /// Returns the bins that have all, by some value.
  private static int[] sorted(int[] sizes, long full, double[] values) {
    return IntStream.range(0, sizes.length)
        .filter(bin -> sizes[bin] == full)
        .boxed()
        .sorted(Comparator.comparingDouble(bin -> values[bin]))
        .mapToInt(bin -> bin)
        .toArray();
  }

  private static void copy(int[] units, int[] filled, int from, Step to, int[] order) {
    for (int i = 0; i < to.size(); i++) {
      order[to.from() + i] = units[filled[from + i]];
    }
  }
}
