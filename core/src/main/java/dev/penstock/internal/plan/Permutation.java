package dev.penstock.internal.plan;

/// Permutations that follow from two numbers, for ever the same.
///
/// The generator is SplitMix64 (Steele, Lea, Flood 2014, as in `java.util.SplittableRandom`), whose
/// output is part of our contract: a saved run resumes with the same order years later. The shuffle
/// is Fisher and Yates's; indices are drawn without bias by rejection (Lemire 2019).
public final class Permutation {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private Permutation() {}

  /// Mixed apart, so that (seed 42, epoch 1) is not (seed 43, epoch 0).
  private static long state(long seed, long epoch) {
    return mix(mix(seed + GOLDEN_GAMMA) + epoch);
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
    return mix(state(seed, epoch) + GOLDEN_GAMMA * (number + 1));
  }

  private static void fill(int[] order, int size, long state) {
    draw(order, size, state);
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
    draw(working, size, orderState(seed, epoch, number));
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

  /// Draws for each index one that is not above it. Apart from the exchanges, which wait for memory
  /// and would make the numbers wait too.
  private static void draw(int[] drawn, int size, long state) {
    long next = state;
    for (int i = 0; i < size; i++) {
      long bound = i + 1L;
      long bits;
      long low;
      do {
        next += GOLDEN_GAMMA;
        bits = mix(next);
        low = bits * bound;
        // The limit is below the bound, so that the division is hardly ever needed.
      } while (Long.compareUnsigned(low, bound) < 0
          && Long.compareUnsigned(low, Long.remainderUnsigned(-bound, bound)) < 0);
      drawn[i] = (int) Math.unsignedMultiplyHigh(bits, bound);
    }
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
