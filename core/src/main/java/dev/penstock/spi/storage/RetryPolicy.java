package dev.penstock.spi.storage;

import dev.penstock.internal.choice.Sentence;
import java.time.Duration;

/// How often and how long requests are retried.
///
/// @param attempts a request fails after this many attempts in a row without a byte
/// @param deadline a request fails after this time, however many bytes have come
/// @param backoff about how long to wait before the second attempt; doubles before each further one
/// @param backoffMax how long to wait at most, unless the store says longer
/// @param slowBytes a connection that brings fewer bytes per second is replaced by another one
/// @param slowAfter how long a connection may be that slow
public record RetryPolicy(
    int attempts,
    Duration deadline,
    Duration backoff,
    Duration backoffMax,
    long slowBytes,
    Duration slowAfter) {
  /// The defaults.
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          6,
          Duration.ofSeconds(120),
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          64 << 10,
          Duration.ofSeconds(10));

  /// Throws [IllegalArgumentException] if a number is out of range.
  public RetryPolicy {
    if (attempts < 1 || slowBytes < 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Attempts must be at least 1 and bytes a second at least 0, got %s and %s.",
              attempts, slowBytes));
    }
  }

  /// {@return the policy of options `attempts` and `deadline`, [#DEFAULT] where one is not set}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if an option has no such value
  public static RetryPolicy of(StorageOptions options) {
    return new RetryPolicy(
        (int) options.number("attempts", 1, 1000).orElse(DEFAULT.attempts),
        options.duration("deadline").orElse(DEFAULT.deadline),
        DEFAULT.backoff,
        DEFAULT.backoffMax,
        DEFAULT.slowBytes,
        DEFAULT.slowAfter);
  }

  /// {@return how long to wait for a part of an answer: option `read-timeout`, 10 seconds if it is
  /// not set, no longer than the deadline}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if an option has no such value
  public static Duration readTimeout(StorageOptions options) {
    Duration wanted = options.duration("read-timeout").orElse(Duration.ofSeconds(10));
    Duration deadline = of(options).deadline;
    return wanted.compareTo(deadline) < 0 ? wanted : deadline;
  }

  /// {@return how long to wait for a connection: option `connect-timeout`, 10 seconds if it is not
  /// set}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if the option has no such value
  public static Duration connectTimeout(StorageOptions options) {
    return options.duration("connect-timeout").orElse(Duration.ofSeconds(10));
  }
}
