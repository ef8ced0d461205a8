package dev.penstock.internal.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A test of some hundred keys at once.
///
/// The kernels have no branch per key, so that their time does not depend on the data. The compiler
/// turns a comparison into a branch if most keys have the same result; then one key in ten with the
/// other result costs more than the whole test. So keys are compared by arithmetic. See Warren,
/// Hacker's Delight, 2nd edition, section 2-12.
sealed interface KeyCheck {
  int WORDS_MAX = 8; // the most words of bits at once: their keys stay in the first-level cache
  int FEW = 6; // up to this many values are compared one by one
  int DENSE_WORDS = 64; // a bit set has at most this many words, or one for each value

  /// Finds the keys that pass, 64 for each of at most [#WORDS_MAX] words, and overwrites them.
  /// `bits` receives one bit for each key, set if it passes.
  void test(long[] keys, int words, long[] bits);

  /// Returns a test for being one of several keys: at least one, ascending, each once.
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

  /// Tests for a key in `[from, to]`, where `from` is not above `to`.
  record Range(long from, long to) implements KeyCheck {
    @Nullable Range and(Range other) {
      long low = Math.max(from, other.from);
      long high = Math.min(to, other.to);
      return low <= high ? new Range(low, high) : null;
    }

    /// Shifts the range to the start of the unsigned numbers, where one comparison is enough.
    @Override
    public void test(long[] keys, int words, long[] bits) {
      long first = from;
      long last = to - from;
      for (int i = 0; i < 64 * words; i++) {
        long key = keys[i] - first;
        long beyond = ((~last & key) | (~(last ^ key) & (last - key))) >>> 63; // last < key
        keys[i] = (beyond - 1) & Bits.OF_PLACE[i];
      }
      Bits.join(keys, words, bits);
    }
  }

  final class Few implements KeyCheck {
    private final long[] several;

    Few(long[] several) {
      this.several = several;
    }

    @Override
    public void test(long[] keys, int words, long[] bits) {
      for (int i = 0; i < 64 * words; i++) {
        long key = keys[i];
        long found = 0;
        for (long one : several) {
          found |= Bits.ifEqual(key, one);
        }
        keys[i] = found & Bits.OF_PLACE[i];
      }
      Bits.join(keys, words, bits);
    }
  }

  /// Tests for one of many keys that are near each other, by a bit for each possible key.
  final class Dense implements KeyCheck {
    private final long least;
    private final long[] set; // the last word is zero, for all keys out of range

    Dense(long[] several) {
      least = several[0];
      set = new long[(int) ((several[several.length - 1] - least) >>> 6) + 2];
      for (long one : several) {
        long place = one - least;
        set[(int) (place >>> 6)] |= 1L << place;
      }
    }

    @Override
    public void test(long[] keys, int words, long[] bits) {
      long last = set.length - 1L;
      for (int i = 0; i < 64 * words; i++) {
        long place = keys[i] - least;
        keys[i] = ((set[(int) Math.min(place >>> 6, last)] >>> place) & 1) << i;
      }
      Bits.join(keys, words, bits);
    }
  }

  /// Tests for one of many keys.
  ///
  /// Each key is at the place of its hash or soon after. Unused places hold one of the keys again,
  /// which cannot give a wrong answer.
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
      shift = 65 - log; // The loop incremented log once more.
      steps = most;
    }

    /// Returns the greatest distance of a key from the place of its hash, plus one.
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
    public void test(long[] keys, int words, long[] bits) {
      for (int i = 0; i < 64 * words; i++) {
        long key = keys[i];
        int place = (int) ((key * FACTOR) >>> shift);
        long found = 0;
        for (int step = 0; step < steps; step++) {
          found |= Bits.ifEqual(table[place + step], key);
        }
        keys[i] = found & Bits.OF_PLACE[i];
      }
      Bits.join(keys, words, bits);
    }
  }

  final class Bits {
    /// For each key, its bit in its word. Shifting a bit there for each key would cost more.
    static final long[] OF_PLACE = new long[64 * WORDS_MAX];

    static {
      Arrays.setAll(OF_PLACE, i -> 1L << i);
    }

    private Bits() {}

    /// Returns all bits if two keys are equal, else none.
    static long ifEqual(long key, long other) {
      long differs = key ^ other;
      return ~((differs | -differs) >> 63);
    }

    static void join(long[] keys, int words, long[] bits) {
      for (int word = 0; word < words; word++) {
        int end = 64 * word + 64;
        long first = 0;
        long second = 0;
        long third = 0;
        long fourth = 0;
        for (int i = 64 * word; i < end; i += 4) {
          first |= keys[i];
          second |= keys[i + 1];
          third |= keys[i + 2];
          fourth |= keys[i + 3];
        }
        bits[word] = first | second | third | fourth;
      }
    }
  }
}
