package dev.penstock.internal.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.Timeline;
import dev.penstock.steps.StepsReceived;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a loader's epochs came to: one by one the last ones, so that its size is bounded, and the
/// sums of all. Epochs are summed up when somebody asks, so that beginning one costs little.
///
/// **Threads.** Safe for any. No code of the user runs in its monitor.
public final class EpochHistory {
  static final int EPOCHS_MAX = 100;
  static final int TIMELINES_MAX = 10; // a timeline takes about 2 MB

  /// An epoch that is running, or was the last one.
  private record Current(
      Supplier<LoaderStats> stats,
      Supplier<Timeline> timeline,
      Supplier<Optional<StepsReceived>> steps) {
    EpochRecord record() {
      return new EpochRecord(stats.get(), timeline.get(), steps.get());
    }
  }

  @GuardedBy("this")
  private final List<EpochRecord> ended = new ArrayList<>();

  @GuardedBy("this")
  private int summed; // how many of these, from the first on, are in the sums

  @GuardedBy("this")
  private LoaderTotals sums = LoaderTotals.NONE;

  @GuardedBy("this")
  private LoaderTotals seen = LoaderTotals.NONE;

  @GuardedBy("this")
  private @Nullable Current current;

  /// Begins the next epoch; the suppliers take no lock for long.
  public synchronized void begin(
      Supplier<LoaderStats> stats,
      Supplier<Timeline> timeline,
      Supplier<Optional<StepsReceived>> steps) {
    if (current != null) {
      add(current.record());
    }
    current = new Current(stats, timeline, steps);
  }

  @GuardedBy("this")
  private void add(EpochRecord epoch) {
    ended.add(epoch);
    if (ended.size() > EPOCHS_MAX) {
      if (summed == 0) {
        sumUp();
      }
      ended.removeFirst();
      summed--;
    }
    int old = ended.size() - 1 - TIMELINES_MAX;
    if (old >= 0) {
      EpochRecord whole = ended.get(old);
      ended.set(old, new EpochRecord(whole.stats(), Timeline.NONE, whole.steps()));
    }
  }

  @GuardedBy("this")
  private void sumUp() {
    for (EpochRecord epoch : ended.subList(summed, ended.size())) {
      sums = sums.plus(LoaderTotals.of(epoch.stats()));
    }
    summed = ended.size();
  }

  /// Returns the sums up to now. Each epoch counts once.
  public synchronized LoaderTotals totals() {
    sumUp();
    if (current != null) {
      seen = notBefore(seen, sums.plus(LoaderTotals.of(current.stats().get())));
    }
    return seen;
  }

  /// Returns the later ones, with times that are not shorter than the earlier ones'. A look at a
  /// worker that is changing its stage may miss the stage's time, see
  /// [dev.penstock.internal.clock.StageClock#times()].
  private static LoaderTotals notBefore(LoaderTotals earlier, LoaderTotals later) {
    return new LoaderTotals(
        later.epochs(),
        later.rows(),
        later.batches(),
        later.read(),
        later.nanos(),
        later.waitedFor().max(earlier.waitedFor()),
        later.ofWorkers().max(earlier.ofWorkers()),
        later.waits());
  }

  /// Returns the epochs that ended, and then the one that runs or was the last.
  public synchronized List<EpochRecord> epochs() {
    List<EpochRecord> all = new ArrayList<>(ended);
    if (current != null) {
      all.add(current.record());
    }
    return List.copyOf(all);
  }
}
