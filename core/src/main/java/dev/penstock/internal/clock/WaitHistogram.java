package dev.penstock.internal.clock;

import dev.penstock.stats.WaitStats;
import java.util.ArrayList;
import java.util.List;

/// Counts waits by their length, in the buckets that [WaitStats] describes. Adding a wait allocates
/// nothing.
///
/// **Threads.** One at a time.
final class WaitHistogram {
  /* Bucket 0 has waits of 0 ns and bucket 1 those up to 2^10 ns. Then each power of two has 8
   * buckets of the same width: the 3 bits below the highest one number them. Waits are taken one
   * nanosecond shorter for this, so that a bucket includes its upper bound. */
  private static final int LOWEST = 10; // the power of two at which the finer buckets start
  private static final int HIGHEST = 40; // and where they end
  private static final int PART_BITS = 3;
  private static final int PARTS = 1 << PART_BITS;
  private static final int LAST = 2 + (HIGHEST - LOWEST) * PARTS;

  private final long[] counts = new long[LAST + 1];
  private long totalNanos;
  private long maxNanos;

  void add(long nanos) {
    counts[bucket(nanos)]++;
    totalNanos += nanos;
    maxNanos = Math.max(maxNanos, nanos);
  }

  private static int bucket(long nanos) {
    if (nanos <= 1L << LOWEST) {
      return nanos <= 0 ? 0 : 1;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos - 1);
    if (power >= HIGHEST) {
      return LAST;
    }
    int part = (int) ((nanos - 1) >>> (power - PART_BITS)) & (PARTS - 1);
    return 2 + (power - LOWEST) * PARTS + part;
  }

  private static long upTo(int bucket) {
    if (bucket < 2) {
      return bucket == 0 ? 0 : 1L << LOWEST;
    }
    if (bucket == LAST) {
      return Long.MAX_VALUE;
    }
    int power = LOWEST + (bucket - 2) / PARTS;
    int part = (bucket - 2) % PARTS;
    return (1L << power) + ((part + 1L) << (power - PART_BITS));
  }

  WaitStats stats() {
    List<WaitStats.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.add(new WaitStats.Bucket(upTo(i), counts[i]));
      }
    }
    return new WaitStats(buckets, totalNanos, maxNanos);
  }
}
