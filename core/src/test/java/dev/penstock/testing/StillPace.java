package dev.penstock.testing;

import dev.penstock.spi.storage.Pace;
import java.util.ArrayList;
import java.util.List;

/// A clock that moves only when somebody waits, and then at once.
public final class StillPace implements Pace {
  private final List<Long> sleeps = new ArrayList<>();
  private long now;

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized void sleep(long nanos) {
    sleeps.add(nanos);
    now += nanos;
  }

  /// Lets time pass.
  public synchronized void pass(long nanos) {
    now += nanos;
  }

  @Override
  public double random() {
    return 1 - Math.ulp(1.0); // the longest wait
  }

  /// Returns how long each wait was.
  public synchronized List<Long> sleeps() {
    return List.copyOf(sleeps);
  }
}
