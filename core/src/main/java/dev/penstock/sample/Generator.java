package dev.penstock.sample;

import dev.penstock.internal.workers.WorkerScope;
import java.util.Arrays;

/// Torch's random numbers: MT19937, and what torch draws from it on a CPU, bit for bit.
///
/// Pass one to samplers, loaders and splits to get a reproducible order. Without one they draw from
/// [#global()], as in torch.
///
/// Tested against values recorded from torch 2.13.0.
///
/// **Threads.** Safe for any, but with several threads at once, timing decides which thread gets
/// which numbers. For reproducible numbers use one thread at a time. **Order.** Every number
/// depends only on the seed and the earlier draws.
public final class Generator {
  /// The seed of a generator made without one: torch's default.
  public static final long DEFAULT_SEED = 67280421310721L;

  private static final Generator GLOBAL = new Generator();

  /// Ranges of at least this size take 64 bits per number.
  private static final long WIDE_RANGE = 1L << 28;

  /// Permutations of at least this size take 64 bits per element.
  private static final long WIDE_PERMUTATION = 0xFFFF_FFFFL / 20;

  /// The longest array that every JVM can allocate.
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

  /// {@return the generator that is used wherever none is given: torch's default generator}
  /// `Generator.global().manualSeed(42)` is `torch.manual_seed(42)`.
  ///
  /// It is one for the process, except in a worker of a [dev.penstock.SampleLoader]: there it is
  /// the worker's own, seeded by the epoch's base seed plus the worker's number, as in torch. So
  /// equal seeds give equal numbers in all workers, whatever their timing. Threads that a worker
  /// starts get the one of the process.
  ///
  /// Torch seeds its default generator randomly; this one starts with [#DEFAULT_SEED], so that
  /// every run is reproducible. Only programs should seed it, at their start, because that changes
  /// the numbers of all users. Libraries, and code whose order must not depend on other draws,
  /// should make their own generator.
  public static Generator global() {
    return WorkerScope.own(Generator.class).orElse(GLOBAL);
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

  /// {@return the last seed set; torch shows a negative one with 2^64 added}
  public synchronized long initialSeed() {
    return seed;
  }

  /// {@return the next number in `[0, 2^63)`: `random_()` of an `int64` tensor of one element}
  public synchronized long random() {
    return twister.bits64() & Long.MAX_VALUE;
  }

  /// {@return the next number in `[low, high)`: an element of `torch.randint`}
  ///
  /// It is the remainder of 32 random bits, or of 64 if the range has 2^28 numbers or more, so the
  /// smaller numbers of a range are slightly more likely.
  ///
  /// @param low the least
  /// @param high one more than the greatest
  public synchronized long randint(long low, long high) {
    checkRange(low, high);
    return drawInt(low, high);
  }

  /// {@return the next `count` numbers in `[low, high)`: `torch.randint`}
  ///
  /// @param low the least
  /// @param high one more than the greatest
  /// @param count how many, 0 or more
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

  /// {@return the next number, a multiple of 2^-53 in `[0, 1)`: `torch.rand` of `float64`}
  public synchronized double rand() {
    return twister.unit();
  }

  /// {@return the next permutation of `[0, n)`: `torch.randperm`}
  ///
  /// @param n how many numbers, in `[0, 2147483640)`: the limit of a Java array
  /// @throws IllegalArgumentException if `n` is negative or exceeds the longest array
  public long[] randperm(long n) {
    int[] order = permutation(n);
    long[] wide = new long[order.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = order[i];
    }
    return wide;
  }

  /// Draws a permutation of `[0, n)` in half of the memory of [#randperm]: `int` suffices, because
  /// it counts the elements of any array.
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

  /// Torch's algorithm where 32 bits are too few for an even choice. It works for any `n`; tests
  /// use small ones.
  synchronized int[] widePermutation(int n) {
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      int other = (int) Long.remainderUnsigned(twister.bits64(), i + 1L);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  /// Skips the numbers that a permutation would draw.
  synchronized void skipPermutation(long n) {
    twister.skip(n < WIDE_PERMUTATION ? Math.max(0, n - 1) : 2 * n);
  }

  /// {@return the numbers of categories drawn by their weights: `torch.multinomial` of `float64`
  /// weights}
  ///
  /// Without replacement, and for a single sample, scores that differ only in their last bit depend
  /// on the platform's logarithm; for those the result may differ from torch, as torch differs
  /// between platforms.
  ///
  /// @param weights the weight of each category, 0 or more, of any sum; at most 2^24 of them
  /// @param samples how many to draw, 1 or more
  /// @param replacement whether a category may be drawn more than once
  /// @throws IllegalArgumentException if there are no or too many weights, one is negative or not
  ///   finite, all are 0, `samples` is less than 1 or exceeds the longest array, or fewer weights
  ///   are above 0 than samples to draw without replacement
  public synchronized long[] multinomial(double[] weights, long samples, boolean replacement) {
    return Multinomial.draw(twister, weights, samples, replacement);
  }
}
