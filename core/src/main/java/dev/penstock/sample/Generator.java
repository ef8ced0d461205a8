package dev.penstock.sample;

import java.util.Arrays;

/// Torch's random numbers: MT19937, and what torch draws from it on a CPU, bit for bit.
///
/// Made by whoever wants an order that can be had again, and given to samplers, loaders and splits.
/// Those that are given none draw from [#global()], as in torch.
///
/// Held against values recorded from torch 2.13.0.
///
/// **Threads.** Any, also several at once; who then gets which numbers depends on timing. For
/// numbers that can be had again, one thread at a time. **Order.** Every number depends on the seed
/// and on what was drawn before it, on nothing else.
public final class Generator {
  /// The seed of a generator that is given none: torch's.
  public static final long DEFAULT_SEED = 67280421310721L;

  private static final Generator GLOBAL = new Generator();

  /// Ranges from here on take 64 bits for each number.
  private static final long WIDE_RANGE = 1L << 28;

  /// Permutations from here on take 64 bits for each element.
  private static final long WIDE_PERMUTATION = 0xFFFF_FFFFL / 20;

  /// The longest array that every JVM makes.
  static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final MersenneTwister twister;
  private long seed;

  /// Makes a generator with [#DEFAULT_SEED], as `torch.Generator()` is.
  public Generator() {
    this(DEFAULT_SEED);
  }

  /// Makes a generator.
  ///
  /// @param seed any number; as in torch only its low 32 bits count
  public Generator(long seed) {
    this.seed = seed;
    twister = new MersenneTwister((int) seed);
  }

  /// Returns the generator of this process, from which everything draws that is given none: torch's
  /// default generator. `Generator.global().manualSeed(42)` is `torch.manual_seed(42)`.
  ///
  /// Torch seeds its own by chance until the program does; this one starts with [#DEFAULT_SEED], so
  /// that a run can be had again in any case. Seeding it is for programs, at their start: it
  /// changes the numbers of everybody. Who wants an order that nobody changes by drawing in between
  /// makes a generator and hands it on instead, as libraries should.
  ///
  /// @return always the same
  public static Generator global() {
    return GLOBAL;
  }

  /// Starts anew, as if just made with a seed.
  ///
  /// @param seed any number; as in torch only its low 32 bits count
  /// @return this
  public synchronized Generator manualSeed(long seed) {
    this.seed = seed;
    twister.seed((int) seed);
    return this;
  }

  /// Returns the seed.
  ///
  /// @return what it was last seeded with; torch shows a negative one with 2^64 added
  public synchronized long initialSeed() {
    return seed;
  }

  /// Draws a number: `random_()` of an `int64` tensor of one element.
  ///
  /// @return a number in `[0, 2^63)`
  public synchronized long random() {
    return twister.bits64() & Long.MAX_VALUE;
  }

  /// Draws a number from a range: an element of `torch.randint`.
  ///
  /// The remainder of 32 bits, or of 64 where the range has 2^28 numbers or more, so that the
  /// smaller numbers of a range are the likelier by a little.
  ///
  /// @param low the least
  /// @param high one more than the greatest
  /// @return a number in `[low, high)`
  /// @throws IllegalArgumentException if the range has no number
  public synchronized long randint(long low, long high) {
    checkRange(low, high);
    return drawInt(low, high);
  }

  /// Draws numbers from a range: `torch.randint`.
  ///
  /// @param low the least
  /// @param high one more than the greatest
  /// @param count how many, 0 or more
  /// @return so many numbers in `[low, high)`
  /// @throws IllegalArgumentException if the range has no number, or `count` is negative
  public synchronized long[] randint(long low, long high, int count) {
    checkRange(low, high);
    if (count < 0) {
      throw new IllegalArgumentException(
          "Cannot draw numbers: their count is " + count + " but must be 0 or more.");
    }
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = drawInt(low, high);
    }
    return numbers;
  }

  private static void checkRange(long low, long high) {
    if (low >= high) {
      throw new IllegalArgumentException(
          "Cannot draw a number: the range ["
              + low
              + ", "
              + high
              + ") has none. Its end must be greater than its start.");
    }
  }

  private long drawInt(long low, long high) {
    long range = high - low; // unsigned: may have 2^63 numbers or more
    if (Long.compareUnsigned(range, WIDE_RANGE) >= 0) {
      return low + Long.remainderUnsigned(twister.bits64(), range);
    }
    return low + Integer.remainderUnsigned(twister.bits32(), (int) range);
  }

  /// Draws a number: `torch.rand` of `float64`.
  ///
  /// @return a multiple of 2^-53 in `[0, 1)`
  public synchronized double rand() {
    return twister.unit();
  }

  /// Draws an order of the numbers from 0: `torch.randperm`.
  ///
  /// @param n how many numbers, in `[0, 2147483640)`: a Java array has no more elements
  /// @return every number of `[0, n)`, once
  /// @throws IllegalArgumentException if `n` is negative, or more than an array has elements
  public long[] randperm(long n) {
    int[] order = permutation(n);
    long[] wide = new long[order.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = order[i];
    }
    return wide;
  }

  /// Draws an order of the numbers from 0, in half of the memory: all of them fit, for an array has
  /// no more elements than its index can count.
  synchronized int[] permutation(long n) {
    if (n < 0 || n > LONGEST_ARRAY) {
      throw new IllegalArgumentException(
          "Cannot permute "
              + n
              + " numbers: a permutation is an array, which has 0 to "
              + LONGEST_ARRAY
              + " elements. Draw with replacement instead, or visit the rows in order.");
    }
    return n < WIDE_PERMUTATION ? narrowPermutation((int) n) : widePermutation((int) n);
  }

  private int[] narrowPermutation(int n) {
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    for (int i = 0; i < n - 1; i++) {
      int other = i + Integer.remainderUnsigned(twister.bits32(), n - i);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    return order;
  }

  /// What torch does where 32 bits are too few for an even choice. Any `n` is right here; tests use
  /// small ones.
  synchronized int[] widePermutation(int n) {
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      int other = (int) Long.remainderUnsigned(twister.bits64(), i + 1L);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  /// Draws a permutation that nobody looks at.
  synchronized void skipPermutation(long n) {
    twister.skip(n < WIDE_PERMUTATION ? Math.max(0, n - 1) : 2 * n);
  }

  /// Draws categories by their weights: `torch.multinomial` of `float64` weights.
  ///
  /// Without replacement, and for a single sample, the logarithm of the platform decides between
  /// scores that differ in their last bit only; for those torch and this may differ, as torch does
  /// from itself on another platform.
  ///
  /// @param weights the weight of each category, 0 or more, of any sum; at most 2^24 of them
  /// @param samples how many to draw, 1 or more
  /// @param replacement whether a category may be drawn more than once
  /// @return the numbers of the categories drawn
  /// @throws IllegalArgumentException if there are no or too many weights, one is negative or not
  ///   finite, all are 0, `samples` is less than 1 or more than an array has elements, or there are
  ///   fewer weights above 0 than samples to draw without replacement
  public synchronized long[] multinomial(double[] weights, long samples, boolean replacement) {
    return Multinomial.draw(twister, weights, samples, replacement);
  }
}
