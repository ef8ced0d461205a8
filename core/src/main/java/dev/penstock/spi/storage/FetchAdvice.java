package dev.penstock.spi.storage;

import java.time.Duration;
import java.util.Optional;

/// How files of a store behind a network are best read.
///
/// @param concurrency how many requests there may be at once, at least 1
/// @param gapBytes a gap between two wanted ranges of up to so many bytes is read over, because
///   another request would take longer
/// @param rangeBytes a range of more bytes is cut, at least 1
/// @param hedgeAfter a request that takes longer is sent a second time, and what comes first is
///   used; empty to never do that
public record FetchAdvice(
    int concurrency, long gapBytes, long rangeBytes, Optional<Duration> hedgeAfter) {
  /// 40 ms at 40 MB/s are 1.6 MB: smaller gaps cost less than a request.
  private static final long GAP_BYTES = 1 << 20;

  /// Ten times what a round trip costs.
  private static final long RANGE_BYTES = 16 << 20;

  private static final int CONCURRENCY = 32;

  /// Looks and footers are small: so many times more of them than of large ranges are no more work
  /// for a store, and some hundreds of files are few round trips away.
  private static final int SMALL_TIMES = 8;

  /// Checks the numbers.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public FetchAdvice {
    if (concurrency < 1 || gapBytes < 0 || rangeBytes < 1) {
      throw new IllegalArgumentException(
          "Requests at once and bytes of a range must be at least 1 and bytes of a gap at least 0,"
              + " got "
              + concurrency
              + ", "
              + rangeBytes
              + " and "
              + gapBytes
              + ".");
    }
  }

  /// Returns how many requests of any kind there are at once at most: what is read ahead keeps to
  /// [#concurrency()], while looks at files and footers, which are small, may be more.
  ///
  /// @return eight times the concurrency
  public int requestsMax() {
    return SMALL_TIMES * concurrency;
  }

  /// Reads the advice from options: `concurrency`, `gap`, `range` and `hedge-after`.
  ///
  /// @param options the options of the store
  /// @return the advice, for object stores in the same region where an option is not set
  /// @throws IllegalArgumentException if an option has no such value
  public static FetchAdvice of(StorageOptions options) {
    return new FetchAdvice(
        (int) options.number("concurrency", 1, 4096).orElse(CONCURRENCY),
        options.number("gap", 0, Long.MAX_VALUE).orElse(GAP_BYTES),
        options.number("range", 1, Integer.MAX_VALUE).orElse(RANGE_BYTES),
        options.duration("hedge-after"));
  }
}
