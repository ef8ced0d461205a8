package dev.penstock.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How long the consumer waited for each batch, as a histogram. Immutable.
///
/// Each batch that the consumer received counts once, with the sum of its waits in `hasNext()` and
/// `next()`. A batch that was ready counts as 0. Without workers, the wait for a batch is the time
/// that loading it took. The wait that found the end of an epoch belongs to no batch.
///
/// A loader's buckets are at most an eighth wider than the waits in them: 0, up to 1,024 ns, then
/// eight for each factor of two up to about 18 minutes, and one for all longer waits.
///
/// @param buckets the buckets that are not empty, by rising bounds
/// @param totalNanos the sum of all waits, in nanoseconds
/// @param maxNanos the longest wait, in nanoseconds
public record WaitStats(List<Bucket> buckets, long totalNanos, long maxNanos) {
  /// Waits of similar length.
  ///
  /// @param upToNanos the longest wait that belongs here, in nanoseconds; [Long#MAX_VALUE] for no
  ///   bound
  /// @param count how many waits, longer than those of the bucket before
  public record Bucket(long upToNanos, long count) {}

  /// No batch was received.
  public static final WaitStats NONE = new WaitStats(List.of(), 0, 0);

  /// Copies the buckets. Throws [IllegalArgumentException] if the bounds do not rise, or a count is
  /// negative.
  public WaitStats {
    buckets = List.copyOf(buckets);
    long before = -1;
    for (Bucket bucket : buckets) {
      if (bucket.upToNanos() <= before || bucket.count() < 0) {
        throw new IllegalArgumentException(
            "Buckets must have rising bounds of 0 or more and counts of 0 or more, got "
                + buckets
                + ".");
      }
      before = bucket.upToNanos();
    }
  }

  /// {@return how many batches were received}
  public long count() {
    return buckets.stream().mapToLong(Bucket::count).sum();
  }

  /// {@return the wait, in nanoseconds, that a share of all waits does not exceed:
  /// `quantileNanos(0.5)` is the median; 0 without waits} It is up to an eighth more than the exact
  /// quantile.
  ///
  /// @param share in `[0, 1]`; 1 for the longest wait
  /// @throws IllegalArgumentException if the share is not in `[0, 1]`
  public long quantileNanos(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be in [0, 1], got " + share + ".");
    }
    double wanted = share * count();
    long passed = 0;
    for (Bucket bucket : buckets) {
      passed += bucket.count();
      if (passed >= wanted && passed > 0) {
        return Math.min(bucket.upToNanos(), maxNanos);
      }
    }
    return 0;
  }

  /// {@return how many waits were no longer than a time: those of the buckets whose bound is at
  /// most `nanos`}
  ///
  /// @param nanos the time in nanoseconds
  public long countUpTo(long nanos) {
    return buckets.stream()
        .takeWhile(bucket -> bucket.upToNanos() <= nanos)
        .mapToLong(Bucket::count)
        .sum();
  }

  /// {@return both together}
  ///
  /// @param other the others
  public WaitStats plus(WaitStats other) {
    Map<Long, Long> counts = new TreeMap<>();
    buckets.forEach(bucket -> counts.put(bucket.upToNanos(), bucket.count()));
    other.buckets.forEach(bucket -> counts.merge(bucket.upToNanos(), bucket.count(), Long::sum));
    List<Bucket> sums = new ArrayList<>();
    counts.forEach((upToNanos, count) -> sums.add(new Bucket(upToNanos, count)));
    return new WaitStats(sums, totalNanos + other.totalNanos, Math.max(maxNanos, other.maxNanos));
  }
}
