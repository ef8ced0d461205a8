package dev.penstock.sample;

/// The engine of [Generator]: MT19937, as Matsumoto and Nishimura published it.
///
/// **Threads.** One at a time.
final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int MIDDLE = 397;
  private static final int MATRIX = 0x9908b0df;
  private static final int UPPER = 0x80000000;

  private static final long MANTISSA = (1L << 53) - 1;

  private final int[] state = new int[SIZE];
  private int next;

  MersenneTwister(int seed) {
    seed(seed);
  }

  /// Starts anew.
  void seed(int seed) {
    state[0] = seed;
    for (int i = 1; i < SIZE; i++) {
      int before = state[i - 1];
      state[i] = 1812433253 * (before ^ (before >>> 30)) + i;
    }
    next = SIZE;
  }

  /// Returns the next 32 bits.
  int bits32() {
    if (next == SIZE) {
      refill();
    }
    int bits = state[next++];
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return bits ^ (bits >>> 18);
  }

  /// Returns the next 64 bits; the first 32 are the upper ones.
  long bits64() {
    long upper = bits32();
    return (upper << 32) | Integer.toUnsignedLong(bits32());
  }

  /// Returns the next double: a multiple of 2^-53 in `[0, 1)`.
  double unit() {
    return (bits64() & MANTISSA) * 0x1p-53;
  }

  /// Skips a number of 32-bit numbers.
  void skip(long count) {
    long left = count;
    while (left > SIZE - next) {
      left -= SIZE - next;
      refill();
    }
    next += (int) left;
  }

  /// Makes the next numbers, in three runs so that no index has to wrap around.
  private void refill() {
    int i = 0;
    for (; i < SIZE - MIDDLE; i++) {
      state[i] = state[i + MIDDLE] ^ twist(state[i], state[i + 1]);
    }
    for (; i < SIZE - 1; i++) {
      state[i] = state[i + MIDDLE - SIZE] ^ twist(state[i], state[i + 1]);
    }
    state[SIZE - 1] = state[MIDDLE - 1] ^ twist(state[SIZE - 1], state[0]);
    next = 0;
  }

  private static int twist(int upper, int lower) {
    return (((upper & UPPER) | (lower & ~UPPER)) >>> 1) ^ (-(lower & 1) & MATRIX);
  }
}
