package dev.penstock.internal.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.state.Exclusion;
import dev.penstock.internal.state.SavedState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a loader's next epoch begins.
///
/// **Threads.** Safe for any.
public final class NextEpoch {
  /// The highest epoch to start at: all whole numbers up to it are exact in any reader of JSON, and
  /// no run gets from there to one that cannot be counted.
  private static final long EPOCH_MAX = 1L << 53;

  @GuardedBy("this")
  private Next next = new Next(0, null, List.of());

  @GuardedBy("this")
  private boolean isRefused; // the state, as it does not fit the files or options

  /// An epoch, and where to go on in it; null to begin it.
  ///
  /// @param excluded the rows that were excluded up to here
  public record Next(long epoch, @Nullable SavedState state, List<Exclusion> excluded) {}

  public static void require(long epoch) {
    if (epoch < 0 || epoch > EPOCH_MAX) {
      throw new IllegalArgumentException(
          "epoch must be in [0, " + EPOCH_MAX + "], got " + epoch + ".");
    }
  }

  public synchronized Next next() {
    return next;
  }

  /// Chooses the next epoch. A state of that epoch stays, unless it was refused.
  public synchronized void set(long epoch) {
    require(epoch);
    if (next.state() == null || isRefused || next.epoch() != epoch) {
      next = new Next(epoch, null, next.excluded());
    }
  }

  public synchronized void resume(SavedState state) {
    next = new Next(state.epoch(), state, state.excluded());
    isRefused = false;
  }

  public synchronized void refuse() {
    isRefused = true;
  }

  public synchronized void begun(long epoch) {
    next = new Next(epoch + 1, null, next.excluded());
  }
}
