package dev.penstock.benchmarks.readers.parquetjava;

import dev.penstock.benchmarks.readers.Table;
import java.util.SplittableRandom;

/// The values of a table, made row by row from a fixed seed.
abstract class Values {
  private static final long SEED = 7;

  final SplittableRandom random = new SplittableRandom(SEED);

  static Values of(Table table) {
    return switch (table) {
      case FLOATS -> new Floats();
      case MIXED, MIXEDNUM -> new Mixed();
      case EMB, F32X64 -> new Singles();
    };
  }

  /// Returns the next value of a column of doubles, NaN for null.
  double nextDouble(int column) {
    throw new UnsupportedOperationException();
  }

  /// Returns the next value of a column of floats, or the next element of its lists.
  float nextFloat() {
    throw new UnsupportedOperationException();
  }

  /// Returns the next value of a column of integers.
  long nextLong(int column) {
    throw new UnsupportedOperationException();
  }

  /// Returns the next value of a column of texts.
  String nextText(int column) {
    throw new UnsupportedOperationException();
  }

  /// Eight columns of full entropy, eight of two decimals, and a label of 0 or 1.
  private static final class Floats extends Values {
    @Override
    double nextDouble(int column) {
      return column < 8
          ? random.nextDouble() * 200 - 100
          : Math.round(random.nextDouble() * 100_000) / 100.0;
    }

    @Override
    long nextLong(int column) {
      return random.nextInt(2);
    }
  }

  /// Doubles 0 to 5 with 5 % nulls, the first three of full entropy and the others of two decimals
  /// and few distinct values; integers 6 to 8 and 9 to 10 of some 1,000 distinct values; 11 and 12
  /// rising microseconds; texts 13 of 6 and 14 of 200 distinct values.
  private static final class Mixed extends Values {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private final long[] micros = {START_MICROS, START_MICROS};

    @Override
    double nextDouble(int column) {
      if (random.nextInt(100) < 5) {
        return Double.NaN;
      }
      return column < 3
          ? random.nextDouble() * 100
          : Math.round(random.nextDouble() * random.nextDouble() * 8000) / 100.0;
    }

    @Override
    long nextLong(int column) {
      if (column < 9) {
        return (long) (1000 * random.nextDouble() * random.nextDouble());
      }
      if (column < 11) {
        return 1_000_000_007L * random.nextInt(1000);
      }
      micros[column - 11] += 1 + random.nextInt(2_000_000);
      return micros[column - 11];
    }

    @Override
    String nextText(int column) {
      return "category_" + 7919 * random.nextInt(column == 13 ? 6 : 200);
    }
  }

  /// Normally distributed floats.
  private static final class Singles extends Values {
    @Override
    float nextFloat() {
      return (float) random.nextGaussian();
    }
  }
}
