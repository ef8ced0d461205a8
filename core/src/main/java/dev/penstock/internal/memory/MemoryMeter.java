package dev.penstock.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/// Counts the off-heap memory of one loader. Safe for any thread.
public final class MemoryMeter {
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  /// Makes a meter at zero.
  public MemoryMeter() {}

  void add(long bytes) {
    long now = used.addAndGet(bytes);
    peak.accumulateAndGet(now, Math::max);
  }

  void subtract(long bytes) {
    used.addAndGet(-bytes);
  }

  /// Returns what is held now.
  ///
  /// @return bytes
  public long used() {
    return used.get();
  }

  /// Returns the most that was held at once.
  ///
  /// @return bytes
  public long peak() {
    return peak.get();
  }
}
