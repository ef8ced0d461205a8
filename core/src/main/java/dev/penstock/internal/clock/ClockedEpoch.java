package dev.penstock.internal.clock;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The epoch whose time is measured, as events name it.
///
/// @param loader counted from 1 in this process; 0 for a pass that is not an epoch
/// @param options the loader's options, for people to read
/// @param epoch counted from 0
/// @param recorder null if nobody wants to know
public record ClockedEpoch(
    long loader, Supplier<String> options, long epoch, @Nullable EpochRecorder recorder) {
  private static final AtomicLong LOADERS = new AtomicLong();

  /// A pass that is not an epoch, such as one that counts matches.
  public static final ClockedEpoch NONE = new ClockedEpoch(0, () -> "", 0, null);

  public static long nextLoader() {
    return LOADERS.incrementAndGet();
  }
}
