package dev.penstock.internal.plan;

/// Permutations that are determined by a few numbers, the same in every release.
///
/// This is the Fisher-Yates shuffle. All numbers are drawn before the exchanges, because exchanges
/// wait for memory and would delay the drawing.
public final class Permutation {
  private Permutation() {}

  /// Mixed separately, so that (seed 42, epoch 1) differs from (seed 43, epoch 0).
  private static long state(long seed, long epoch) {
    return SplitMix64.mix(SplitMix64.mix(seed + SplitMix64.GOLDEN_GAMMA) + epoch);
  }

  static int[] of(int size, long seed, long epoch) {
    int[] order = new int[size];
    fill(order, size, state(seed, epoch));
    return order;
  }

  /// Fills an array with the numbers from 0 to `size - 1` in random order; entries from `size` on
  /// are not changed.
  public static void fill(int[] order, int size, long seed, long epoch, long number) {
    fill(order, size, orderState(seed, epoch, number));
  }

  static long orderState(long seed, long epoch, long number) {
    return SplitMix64.mix(state(seed, epoch) + SplitMix64.GOLDEN_GAMMA * (number + 1));
  }

  private static void fill(int[] order, int size, long state) {
    BoundedNumbers.draw(order, size, state);
    for (int i = 0; i < size; i++) {
      int j = order[i];
      order[i] = order[j];
      order[j] = i;
    }
  }

  /// Puts values in random order; `working` is overwritten, and at least as long.
  static void shuffle(int[] values, int[] working, long seed, long epoch, long number) {
    BoundedNumbers.draw(working, values.length, orderState(seed, epoch, number));
    for (int i = 0; i < values.length; i++) {
      int j = working[i];
      int value = values[i];
      values[i] = values[j];
      values[j] = value;
    }
  }

  /// Fills an array with the inverse of an order: for each number, its place in the result of
  /// [#fill]. Makes the same exchanges, the last one first.
  ///
  /// @param places receives the places of 0 to `size - 1`; entries from `size` on are not changed
  /// @param working overwritten; at least as long
  public static void fillPlaces(
      int[] places, int[] working, int size, long seed, long epoch, long number) {
    BoundedNumbers.draw(working, size, orderState(seed, epoch, number));
    for (int i = 0; i < size; i++) {
      places[i] = i;
    }
    for (int i = size - 1; i >= 0; i--) {
      int j = working[i];
      int place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
  }
}
