package dev.penstock.internal.plan;

/// Permutations that follow from two numbers, for ever the same.
///
/// The generator is SplitMix64 (Steele, Lea, Flood 2014, as in `java.util.SplittableRandom`), whose
/// output is part of our contract: a saved run resumes with the same order years later. The shuffle
/// is Fisher and Yates's; indices are drawn without bias by rejection (Lemire 2019).
public final class Permutation {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  private Permutation(long state) {
    this.state = state;
  }

  /// Mixed apart, so that (seed 42, epoch 1) is not (seed 43, epoch 0).
  private static long state(long seed, long epoch) {
    return mix(mix(seed + GOLDEN_GAMMA) + epoch);
  }

  static int[] of(int size, long seed, long epoch) {
    return of(size, new Permutation(state(seed, epoch)));
  }

  /// Returns the order of one of many.
  ///
  /// @param size how many there are
  /// @param seed the seed
  /// @param epoch the epoch
  /// @param number which of the orders of the epoch
  /// @return the numbers from 0 to `size - 1`, in random order
  public static int[] of(int size, long seed, long epoch, long number) {
    return of(size, new Permutation(mix(state(seed, epoch) + GOLDEN_GAMMA * (number + 1))));
  }

  private static int[] of(int size, Permutation random) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = (int) random.below(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  private long below(long bound) {
    while (true) {
      long bits = next();
      long high = Math.unsignedMultiplyHigh(bits, bound);
      long low = bits * bound;
      // The limit is below the bound, so that the division is hardly ever needed.
      if (Long.compareUnsigned(low, bound) >= 0
          || Long.compareUnsigned(low, Long.remainderUnsigned(-bound, bound)) >= 0) {
        return high;
      }
    }
  }

  private long next() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
