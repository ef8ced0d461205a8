package dev.penstock.spi.storage;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// The clock of requests; tests use one that never waits.
///
/// **Threads.** Safe for any.
public interface Pace {
  /// The machine's clock.
  Pace SYSTEM =
      new Pace() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }

        @Override
        public double random() {
          return ThreadLocalRandom.current().nextDouble();
        }
      };

  /// {@return the time in nanoseconds since any moment, never going back}
  long nanos();

  /// Waits.
  ///
  /// @param nanos how long
  /// @throws InterruptedException if the thread is interrupted
  void sleep(long nanos) throws InterruptedException;

  /// {@return a random number in [0, 1), so that many clients do not retry at the same moment}
  double random();
}
