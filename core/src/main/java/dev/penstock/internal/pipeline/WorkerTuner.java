package dev.penstock.internal.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.Stage;
import java.time.Duration;

/// Chooses how many workers of a loader decode, by who waits for whom. The others are parked.
///
/// At first all decode. A choice is made after each 50 ms of delivery, and kept from epoch to
/// epoch:
///
/// - If the consumer waited more than 5 % of the time while the workers were busy more than 80 % of
///   theirs, twice as many decode.
/// - The consumer waited less than 1 % of the time, and the work would keep fewer workers busy for
///   70 % of their time. If that happens four times in a row, only that many decode.
///
/// The wait for the first batch of an epoch does not count: no number of workers avoids it.
///
/// **Threads.** Any.
public final class WorkerTuner {
  private static final long PERIOD = Duration.ofMillis(50).toNanos();
  private static final double CONSUMER_WAITS = 0.05;
  private static final double CONSUMER_RARELY_WAITS = 0.01;
  private static final double WORKERS_ARE_BUSY = 0.8;
  private static final double WORKERS_HAVE_TIME = 0.7;
  private static final int PERIODS_BEFORE_PARKING = 4;

  private final int workers;
  private final boolean isFixed;

  @GuardedBy("this")
  private int decoding;

  @GuardedBy("this")
  private int periodsTooMany; // in a row, with workers to spare

  @GuardedBy("this")
  private long nanos; // since the last choice, like the next two

  @GuardedBy("this")
  private long consumerWaited;

  @GuardedBy("this")
  private long workersBusy;

  private WorkerTuner(int workers, boolean isFixed) {
    this.workers = workers;
    this.isFixed = isFixed;
    this.decoding = workers;
  }

  public static WorkerTuner fixed(int workers) {
    return new WorkerTuner(workers, true);
  }

  /// Lets as many workers decode as the consumer needs: at first all, at least 1.
  public static WorkerTuner upTo(int workers) {
    return new WorkerTuner(workers, false);
  }

  public boolean isFixed() {
    return isFixed;
  }

  public synchronized int decoding() {
    return decoding;
  }

  /// Takes in how the time between two looks at an epoch was spent, the first at its first batch or
  /// later. Returns how many workers decode from now on.
  synchronized int choose(EpochTimes before, EpochTimes now) {
    nanos += now.nanos() - before.nanos();
    consumerWaited += now.waitNanos() - before.waitNanos();
    workersBusy += busy(now) - busy(before);
    if (!isFixed && nanos >= PERIOD) {
      decoding = chosen((double) consumerWaited / nanos, (double) workersBusy / nanos);
      nanos = 0;
      consumerWaited = 0;
      workersBusy = 0;
    }
    return decoding;
  }

  private static long busy(EpochTimes times) {
    return times.ofWorkers().totalNanos() - times.ofWorkers().nanos(Stage.WAIT);
  }

  /// @param waited the share of the time that the consumer waited
  @GuardedBy("this")
  private int chosen(double waited, double busy) {
    if (waited > CONSUMER_WAITS && busy > WORKERS_ARE_BUSY * decoding) {
      periodsTooMany = 0;
      return Math.min(workers, 2 * decoding);
    }
    int enough = Math.clamp((long) Math.ceil(busy / WORKERS_HAVE_TIME), 1, decoding);
    boolean areTooMany = waited < CONSUMER_RARELY_WAITS && enough < decoding;
    periodsTooMany = areTooMany ? periodsTooMany + 1 : 0;
    if (periodsTooMany < PERIODS_BEFORE_PARKING) {
      return decoding;
    }
    periodsTooMany = 0;
    return enough;
  }
}
