package dev.penstock.stats;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;

/// Finds what limits the speed of an epoch; [LoaderStats#bottleneck()] has the rules.
final class Bottleneck {
  private static final int ENOUGH_BATCHES = 10;
  private static final long ENOUGH_MILLIS = 20;
  private static final double WAITS_LITTLE = 0.1;
  private static final double WAITS_MUCH = 0.495; // one of two workers, but for its start and end
  private static final double IS_BUSY = 0.25;

  private static final String PROCESSORS = "more workers help while processors are idle";

  /// What a worker can be busy with, in plain words.
  private enum Work {
    READING(
        "Reading",
        "more workers read more at once, and a cache reads each file once",
        Stage.OPEN,
        Stage.FETCH),
    DECODING("Decoding", PROCESSORS + ", and so do fewer columns", Stage.DECOMPRESS, Stage.DECODE),
    FILTERING("The filter", PROCESSORS, Stage.FILTER),
    SHUFFLING("Shuffling", PROCESSORS, Stage.SHUFFLE),
    TRANSFORMING("The transform", PROCESSORS + ", and so does a cheaper one", Stage.TRANSFORM),
    BATCHING("Copying rows to batches", PROCESSORS, Stage.BATCH),
    COLLATING("Collating", PROCESSORS, Stage.COLLATE);

    private final String name;
    private final String help;
    private final Stage first;
    private final Stage last; // equals the first if there is only one

    Work(String name, String help, Stage first, Stage last) {
      this.name = name;
      this.help = help;
      this.first = first;
      this.last = last;
    }

    Work(String name, String help, Stage only) {
      this(name, help, only, only);
    }

    /// Returns what to change.
    private String help(StageTimes times) {
      boolean isOpening = this == READING && times.nanos(Stage.OPEN) > times.nanos(Stage.FETCH);
      return isOpening ? "fewer, larger files are opened faster, and a cache opens none" : help;
    }

    private long nanos(StageTimes times) {
      return times.nanos(first) + (last == first ? 0 : times.nanos(last));
    }

    /// Returns for example `OPEN 1 % and FETCH 63 %`.
    private String parts(StageTimes times) {
      return part(first, times) + (last == first ? "" : " and " + part(last, times));
    }

    private static String part(Stage stage, StageTimes times) {
      return stage + " " + percent(share(times.nanos(stage), times.totalNanos()));
    }
  }

  private Bottleneck() {}

  static Advice sentence(LoaderStats stats) {
    StageTimes times = stats.times().ofWorkers();
    if (stats.batches() == 0 || stats.times().nanos() == 0 || times.totalNanos() == 0) {
      return Advice.text("Nothing was delivered, so nothing can be said of a bottleneck.");
    }
    boolean inline = stats.times().workers().getFirst().worker() < 0;
    long nanos = stats.times().nanos();
    double consumerWaits = share(stats.times().waitNanos(), nanos);
    double workersWait = workersWait(stats.times());
    if (consumerWaits < WAITS_LITTLE) {
      return Advice.of(
          "The consumer is the bottleneck: it waited %s of the time%s A faster loader would save no"
              + " more than that%s",
          percent(consumerWaits),
          inline ? "." : ", and the workers " + percent(workersWait) + " of theirs.",
          !inline && workersWait > WAITS_MUCH ? ", and fewer workers would do." : ".");
    }
    long millis = nanos / 1_000_000;
    if (stats.batches() < ENOUGH_BATCHES || millis < ENOUGH_MILLIS) {
      return Advice.of(
          "Too short to name a bottleneck: that takes at least %s batches and %s ms, and so far it is"
              + " %s in %s ms.",
          ENOUGH_BATCHES, ENOUGH_MILLIS, stats.batches(), millis);
    }
    Work most =
        Arrays.stream(Work.values())
            .max(Comparator.comparingLong(work -> work.nanos(times)))
            .orElseThrow();
    if (inline) {
      return Advice.of(
          "Loading is the bottleneck: the consumer's thread spends %s of the time on it, mostly on"
              + " %s (%s of loading). Workers do it meanwhile.",
          percent(consumerWaits), most.name.toLowerCase(Locale.ROOT), most.parts(times));
    }
    double works = share(most.nanos(times), nanos * stats.times().workers().size());
    if (workersWait > Math.min(works, WAITS_MUCH)) {
      return waiting(stats, consumerWaits, workersWait);
    }
    return Advice.of(
        "%s is the bottleneck (%s of the workers' time), and the consumer waited %s of the time:"
            + " %s.",
        most.name, most.parts(times), percent(consumerWaits), most.help(times));
  }

  private static Advice waiting(LoaderStats stats, double consumerWaits, double workersWait) {
    double least =
        stats.times().workers().stream()
            .mapToDouble(worker -> waitShare(worker, stats.times().nanos()))
            .min()
            .orElse(workersWait);
    return least < IS_BUSY
        ? Advice.of(
            "One worker is the bottleneck: it waited %s of its time, all together %s, and the"
                + " consumer %s. Fewer workers would do as well. Smaller row groups share the work"
                + " better, and so do several files in place of one that is compressed as a whole.",
            percent(least), percent(workersWait), percent(consumerWaits))
        : Advice.of(
            "No side is the bottleneck all the time: the consumer waited %s of the time and the"
                + " workers %s of theirs. A larger %s evens that out.",
            percent(consumerWaits), percent(workersWait), Remedy.call("prefetchFactor"));
  }

  /// Returns how much of the epoch the workers waited.
  private static double workersWait(EpochTimes times) {
    return times.workers().stream()
        .mapToDouble(worker -> waitShare(worker, times.nanos()))
        .average()
        .orElse(0);
  }

  /// Returns how much of the epoch a worker waited. One that ended early, or never started, had
  /// nothing to do and counts as waiting.
  private static double waitShare(WorkerStats worker, long epochNanos) {
    long busy = worker.times().totalNanos() - worker.times().nanos(Stage.WAIT);
    return Math.max(0, 1 - share(busy, epochNanos));
  }

  private static double share(long part, long whole) {
    return (double) part / whole;
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
