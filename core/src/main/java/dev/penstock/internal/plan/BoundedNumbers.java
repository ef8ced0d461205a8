package dev.penstock.internal.plan;

/// Random numbers, each with its own bound: for index `i` a number in `[0, i]`.
///
/// The upper half of a 64-bit number times the bound is the result; to avoid bias, the number is
/// drawn again if the lower half is below `2^64 mod bound` (Lemire 2019).
final class BoundedNumbers {
  /* The compiler vectorizes loops without branches over arrays of one type, so mixing and scaling
   * are separate loops. Bounds are below 2^32, so the lower half can be below the bound only if its
   * upper 32 bits are 0. A block with such a number, one in millions, is drawn again, number by
   * number. */
  private static final long LOW = 0xFFFFFFFFL;

  private static final int BLOCK = 512;

  /// By place in a block, how much the generator's state has gained.
  private static final long[] GAINS = new long[BLOCK];

  private static final long[] PLACES = new long[BLOCK];

  static {
    for (int i = 0; i < BLOCK; i++) {
      GAINS[i] = (i + 1) * SplitMix64.GOLDEN_GAMMA;
      PLACES[i] = i;
    }
  }

  private BoundedNumbers() {}

  /// Draws a number in `[0, i]` for each index `i` below `size`; other entries are not changed.
  ///
  /// @param state the state of the generator, which follows from seeds
  static void draw(int[] drawn, int size, long state) {
    long[] block = new long[Math.min(size, BLOCK)];
    long next = state;
    for (int done = 0; done < size; done += block.length) {
      int count = Math.min(block.length, size - done);
      mix(block, next, count);
      if (scale(block, done + 1L, count)) {
        next = drawEach(drawn, done, done + count, next);
      } else {
        for (int i = 0; i < count; i++) {
          drawn[done + i] = (int) (block[i] >>> 32);
        }
        next += GAINS[count - 1];
      }
    }
  }

  private static void mix(long[] block, long state, int count) {
    long[] gains = GAINS;
    for (int i = 0; i < count; i++) {
      block[i] = SplitMix64.mix(state + gains[i]);
    }
  }

  /// Multiplies numbers by bounds, which ascend from the given first one, and drops the lowest 32
  /// bits of the products; the bits above the remaining 32 are the upper half. Returns whether one
  /// of the numbers may have to be drawn again.
  private static boolean scale(long[] block, long firstBound, int count) {
    long[] places = PLACES;
    long again = 0;
    for (int i = 0; i < count; i++) {
      long bound = (places[i] + firstBound) & LOW;
      long bits = block[i];
      long product = (bits >>> 32) * bound + (((bits & LOW) * bound) >>> 32);
      block[i] = product;
      again |= (product & LOW) - 1;
    }
    return again < 0;
  }

  /// Draws numbers one by one. Returns the state of the generator after them.
  private static long drawEach(int[] drawn, int from, int to, long state) {
    long next = state;
    for (int i = from; i < to; i++) {
      long bound = i + 1L;
      long bits;
      long low;
      do {
        next += SplitMix64.GOLDEN_GAMMA;
        bits = SplitMix64.mix(next);
        low = bits * bound;
        // The limit is below the bound, so the division is hardly ever needed.
      } while (Long.compareUnsigned(low, bound) < 0
          && Long.compareUnsigned(low, Long.remainderUnsigned(-bound, bound)) < 0);
      drawn[i] = (int) Math.unsignedMultiplyHigh(bits, bound);
    }
    return next;
  }
}
