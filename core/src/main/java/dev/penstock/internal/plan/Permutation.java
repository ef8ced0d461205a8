package dev.penstock.internal.plan;

/// Permutations that follow from two numbers, for ever the same.
///
/// The shuffle is Fisher and Yates's. All numbers are drawn before the exchanges, which wait for
/// memory and would make the numbers wait too.
public final class Permutation {
  private Permutation() {}

  /// Mixed apart, so that (seed 42, epoch 1) is not (seed 43, epoch 0).
  private static long state(long seed, long epoch) {
    return SplitMix64.mix(SplitMix64.mix(seed + SplitMix64.GOLDEN_GAMMA) + epoch);
  }

  static int[] of(int size, long seed, long epoch) {
    int[] order = new int[size];
    fill(order, size, state(seed, epoch));
    return order;
  }

  /// Makes the order of one of many.
  ///
  /// @param order gets the numbers from 0 to `size - 1`, in random order; not touched behind them
  /// @param size how many there are
  /// @param seed the seed
  /// @param epoch the epoch
  /// @param number which of the orders of the epoch
  public static void fill(int[] order, int size, long seed, long epoch, long number) {
    fill(order, size, orderState(seed, epoch, number));
  }

  private static long orderState(long seed, long epoch, long number) {
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

  /// Makes the reverse of an order: for each number its place in what [#fill] gives. The same
  /// exchanges, the last one first.
  ///
  /// @param places gets the places of 0 to `size - 1`; not touched behind them
  /// @param working overwritten, as long
  /// @param size how many there are
  /// @param seed the seed
  /// @param epoch the epoch
  /// @param number which of the orders of the epoch
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
