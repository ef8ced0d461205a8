package dev.penstock.internal.compose;

import dev.penstock.compose.Balance;
import dev.penstock.internal.plan.BatchSteps;
import dev.penstock.internal.plan.Permutation;
import dev.penstock.internal.plan.StepLevels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What decides what is random in a window.
///
/// @param isShuffled whether rows move within windows
/// @param steps where its places are in the shares of ranks; null where that does not matter
/// @param measured where to add what its steps cost; null if nobody asks
public record WindowNumber(
    long seed,
    long epoch,
    long number,
    boolean isShuffled,
    @Nullable BatchSteps steps,
    @Nullable StepCosts measured) {
  public WindowNumber(
      long seed, long epoch, long number, boolean isShuffled, @Nullable BatchSteps steps) {
    this(seed, epoch, number, isShuffled, steps, null);
  }

  WindowNumber(long seed, long epoch, long number) {
    this(seed, epoch, number, false, null);
  }

  WindowNumber measured(StepCosts into) {
    return new WindowNumber(seed, epoch, number, isShuffled, steps, into);
  }

  /// Returns the order of the window's rows, or of what is made of them: random if shuffled.
  int[] rows(int count) {
    if (!isShuffled) {
      return asTheyAre(count);
    }
    int[] rows = new int[count];
    Permutation.fill(rows, count, seed, epoch, number);
    return rows;
  }

  /// Returns a random order of the batches that are made of the window.
  int[] batches(int count) {
    int[] order = new int[count];
    Permutation.fill(order, count, seed, epoch, ~number);
    return order;
  }

  /// Returns an order of what is made of the window in which all ranks have about the same cost at
  /// each step; as it is where it is not known which steps it has, while it is only counted.
  ///
  /// @param costs of each row or batch that is made
  /// @param unitsOfBatch how many of these make a batch
  /// @param usual the order in which they would come otherwise
  int[] even(double[] costs, int unitsOfBatch, Balance balance, int[] usual) {
    BatchSteps known = steps;
    if (known == null) {
      return usual;
    }
    int[] order = EvenSteps.order(costs, unitsOfBatch, balance, known, new StepLevels(seed, epoch));
    if (measured != null) {
      measured.add(known, costs, usual, order);
    }
    return order;
  }

  static int[] asTheyAre(int count) {
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    return order;
  }
}
