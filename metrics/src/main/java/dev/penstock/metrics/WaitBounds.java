package dev.penstock.metrics;

import java.math.BigDecimal;
import java.util.stream.LongStream;

/// The bounds of the buckets of waits: 0 for batches that were ready, then factors of two from 0.13
/// ms to 34 s, then none. [dev.penstock.stats.WaitStats] counts up to each of them exactly.
final class WaitBounds {
  private static final int LOWEST = 17; // powers of two, in nanoseconds
  private static final int HIGHEST = 35;

  private WaitBounds() {}

  /// Returns the bounds, in nanoseconds; the last is [Long#MAX_VALUE].
  static LongStream nanos() {
    LongStream powers = LongStream.rangeClosed(LOWEST, HIGHEST).map(power -> 1L << power);
    return LongStream.concat(
        LongStream.concat(LongStream.of(0), powers), LongStream.of(Long.MAX_VALUE));
  }

  /// Returns the value of the label `le`, as Prometheus has it: seconds, or `+Inf`.
  static String label(long nanos) {
    return nanos == Long.MAX_VALUE
        ? "+Inf"
        : BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
  }
}
