package dev.penstock.blackbox.files;

import dev.penstock.storage.Location;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Holds threads up where they pass, for random short times: with every seed they meet in another
/// order. One file of four is slow: each thread that comes to it waits.
///
/// How long a thread is held follows from the seed and from how many came before it. All together
/// are held for less than a second.
public final class Delays implements FaultStorage.Fault {
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
  private static final int SPINS_MAX = 1 << 12;
  private static final int PARK_NANOS_MAX = 1 << 16;
  private static final int PARKS_MAX = 2_000;

  private final long seed;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger parks = new AtomicInteger();

  public Delays(long seed) {
    this.seed = seed;
  }

  @Override
  public void check(Location location) {
    if ((mixed(seed + location.text().hashCode()) & 3) == 0) {
      park(PARK_NANOS_MAX);
    }
    hold();
  }

  /// Holds the calling thread up, or not.
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on what yield() does
  public void hold() {
    long random = mixed(seed + SPREAD * calls.incrementAndGet());
    int much = (int) (random >>> 8);
    switch ((int) (random & 7)) {
      case 0 -> park(much & (PARK_NANOS_MAX - 1));
      case 1, 2 -> Thread.yield();
      case 3, 4 -> spin(much & (SPINS_MAX - 1));
      default -> {
        // It passes at once.
      }
    }
  }

  private void park(int nanos) {
    if (parks.incrementAndGet() <= PARKS_MAX) {
      LockSupport.parkNanos(nanos);
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static long mixed(long value) {
    long mixed = (value ^ value >>> 32) * SPREAD;
    return mixed ^ mixed >>> 29;
  }
}
