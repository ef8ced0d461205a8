package dev.penstock.spi.storage;

import dev.penstock.internal.choice.Sentence;
import java.time.Duration;
import java.util.Optional;

/// How best to read files of a network store.
///
/// @param concurrency the maximum of simultaneous requests, at least 1
/// @param gapBytes the largest gap between two wanted ranges that is read through, because another
///   request would take longer
/// @param rangeBytes larger ranges are cut to this size, at least 1
/// @param hedgeAfter a request that takes longer is sent a second time, and the first answer is
///   used; empty to never do that
public record FetchAdvice(
    int concurrency, long gapBytes, long rangeBytes, Optional<Duration> hedgeAfter) {
  /// A request takes about 40 ms, in which 40 MB/s bring 1.6 MB: smaller gaps cost less than a
  /// request.
  private static final long GAP_BYTES = 1 << 20;

  /// Takes about ten times as long as a round trip.
  private static final long RANGE_BYTES = 16 << 20;

  private static final int CONCURRENCY = 32;

  /// Stat requests and footers are small: a store can serve this many times more of them than of
  /// large ranges, so that hundreds of files take few round trips.
  private static final int SMALL_TIMES = 8;

  /// Throws [IllegalArgumentException] if a number is out of range.
  public FetchAdvice {
    if (concurrency < 1 || gapBytes < 0 || rangeBytes < 1) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Requests at once and bytes of a range must be at least 1 and bytes of a gap at"
                  + " least 0, got %s, %s and %s.",
              concurrency, rangeBytes, gapBytes));
    }
  }

  /// {@return the maximum of simultaneous requests of any kind, eight times the concurrency}
  /// Reading ahead keeps to [#concurrency()]; stat requests and footers, which are small, may
  /// exceed it.
  public int requestsMax() {
    return SMALL_TIMES * concurrency;
  }

  /// {@return the advice of options `concurrency`, `gap`, `range` and `hedge-after`; unset ones
  /// default to values for object stores in the same region}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if an option has an invalid value
  public static FetchAdvice of(StorageOptions options) {
    return new FetchAdvice(
        (int) options.number("concurrency", 1, 4096).orElse(CONCURRENCY),
        options.number("gap", 0, Long.MAX_VALUE).orElse(GAP_BYTES),
        options.number("range", 1, Integer.MAX_VALUE).orElse(RANGE_BYTES),
        options.duration("hedge-after"));
  }
}
