package dev.penstock.internal.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A test of 64 keys at once.
///
/// The kernels have no branch for a key, so that their time does not depend on the data.
sealed interface KeyCheck {
  /// Up to so many values are compared one by one.
  int FEW = 6;

  /// A set of bits has at most so many words, or one for each value.
  int DENSE_WORDS = 64;

  /// Returns one bit for each key, set if it passes.
  ///
  /// @param keys 64 of them
  long test(long[] keys);

  /// Returns the test for being one of several.
  ///
  /// @param keys at least one, ascending, each once
  static KeyCheck oneOf(long[] keys) {
    long last = keys.length - 1L;
    long span = keys[keys.length - 1] - keys[0]; // unsigned
    if (span == last) {
      return new Range(keys[0], keys[keys.length - 1]);
    }
    if (keys.length <= FEW) {
      return new Few(keys);
    }
    boolean dense = Long.compareUnsigned(span >>> 6, Math.max(DENSE_WORDS, keys.length)) < 0;
    return dense ? new Dense(keys) : new Hashed(keys);
  }

  /// A key in `[from, to]`, where `from` is not above `to`.
  record Range(long from, long to) implements KeyCheck {
    @Nullable Range and(Range other) {
      long low = Math.max(from, other.from);
      long high = Math.min(to, other.to);
      return low <= high ? new Range(low, high) : null;
    }

    /// Moves the range to the start of the numbers: one comparison is enough there.
    @Override
    public long test(long[] keys) {
      long move = Long.MIN_VALUE - from;
      long limit = to + move;
      long bits = 0;
      for (int i = 0; i < 64; i++) {
        bits |= (keys[i] + move <= limit ? 1L : 0L) << i;
      }
      return bits;
    }
  }

  /// A key that is one of a few.
  final class Few implements KeyCheck {
    private final long[] several;

    Few(long[] several) {
      this.several = several;
    }

    @Override
    public long test(long[] keys) {
      long bits = 0;
      for (long one : several) {
        for (int i = 0; i < 64; i++) {
          bits |= (keys[i] == one ? 1L : 0L) << i;
        }
      }
      return bits;
    }
  }

  /// A key that is one of many near each other: a bit for each that could be.
  final class Dense implements KeyCheck {
    private final long least;

    /// The last word is zero, for all keys that are beyond.
    private final long[] words;

    Dense(long[] several) {
      least = several[0];
      words = new long[(int) ((several[several.length - 1] - least) >>> 6) + 2];
      for (long one : several) {
        long place = one - least;
        words[(int) (place >>> 6)] |= 1L << place;
      }
    }

    @Override
    public long test(long[] keys) {
      long last = words.length - 1L;
      long bits = 0;
      for (int i = 0; i < 64; i++) {
        long place = keys[i] - least;
        bits |= ((words[(int) Math.min(place >>> 6, last)] >>> place) & 1) << i;
      }
      return bits;
    }
  }

  /// A key that is one of many.
  ///
  /// Each is in one of the places that follow the place of its hash. Places that are left hold one
  /// of the keys again: to find it there is right, too.
  final class Hashed implements KeyCheck {
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;
    private static final int STEPS_WANTED = 3;

    private final long[] table;
    private final int shift;
    private final int steps;

    Hashed(long[] several) {
      int log = 65 - Long.numberOfLeadingZeros(several.length);
      int wanted = Math.min(log + 3, 30);
      long[] filled = new long[0];
      int most = Integer.MAX_VALUE;
      for (; most > STEPS_WANTED && log <= wanted; log++) {
        filled = new long[(1 << log) + several.length];
        most = fill(filled, 64 - log, several);
      }
      table = filled;
      shift = 65 - log; // The loop counted on.
      steps = most;
    }

    /// Returns how many places after that of its hash a key is at most, and one more.
    private static int fill(long[] table, int shift, long[] several) {
      boolean[] taken = new boolean[table.length];
      Arrays.fill(table, several[0]);
      int most = 0;
      for (long one : several) {
        int home = (int) ((one * FACTOR) >>> shift);
        int place = home;
        while (taken[place]) {
          place++;
        }
        taken[place] = true;
        table[place] = one;
        most = Math.max(most, place - home + 1);
      }
      return most;
    }

    @Override
    public long test(long[] keys) {
      long bits = 0;
      for (int i = 0; i < 64; i++) {
        long key = keys[i];
        int place = (int) ((key * FACTOR) >>> shift);
        long found = 0;
        for (int step = 0; step < steps; step++) {
          found |= table[place + step] == key ? 1L : 0L;
        }
        bits |= found << i;
      }
      return bits;
    }
  }
}
