package dev.penstock.cli;

import dev.penstock.advice.Advice;
import dev.penstock.cli.measure.StepTime;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.options.Reading;
import dev.penstock.report.Option;
import dev.penstock.report.Run;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The measured epochs of one number of workers.
final class BenchSetting {
  private final Reading reading;
  private final List<Double> speeds = new ArrayList<>();
  private final List<EpochRecord> epochs = new ArrayList<>();

  BenchSetting(Reading reading) {
    this.reading = reading;
  }

  void add(double rowsPerSecond, EpochRecord epoch) {
    speeds.add(rowsPerSecond);
    epochs.add(epoch);
  }

  int rounds() {
    return speeds.size();
  }

  /// Returns how many workers decode; where the loader chooses, at the end of the last run.
  int workers() {
    return isAuto()
        ? (int) times().workers().stream().filter(worker -> !worker.isParked()).count()
        : reading.workers();
  }

  /// Returns the times of the last run.
  private EpochTimes times() {
    return epochs.getLast().stats().times();
  }

  /// Returns which run has the median speed, the faster of two.
  private int median() {
    List<Integer> bySpeed =
        IntStream.range(0, speeds.size())
            .boxed()
            .sorted(Comparator.comparingDouble(speeds::get))
            .toList();
    return bySpeed.get(bySpeed.size() / 2);
  }

  private EpochRecord medianEpoch() {
    return epochs.get(median());
  }

  /// Returns the run of the median.
  ///
  /// @param step the length of the steps that were emulated; null without
  Run run(boolean isRecommended, @Nullable StepTime step) {
    return new Run(
        label() + (label().equals("1") ? " worker" : " workers"),
        List.of(new Option("workers", label())),
        isRecommended,
        medianEpoch(),
        Optional.empty(),
        step == null ? OptionalDouble.empty() : OptionalDouble.of(utilisation(step)));
  }

  boolean isAuto() {
    return reading.autoWorkers();
  }

  String label() {
    return isAuto() ? "auto" : String.valueOf(reading.workers());
  }

  /// Adds the columns of [#cells()] to a table.
  static TextTable head(TextTable table) {
    return table.right("workers").right("rows/s").right("noise").right("waited");
  }

  List<String> cells() {
    return List.of(
        label(),
        Numbers.rate(rowsPerSecond()),
        rounds() == 1 ? "?" : "± " + Numbers.percent(noise()),
        Numbers.fixed(waitSeconds(), 3) + " s");
  }

  /// Returns what the loader chose, and why.
  String choice(BenchSetting best) {
    return "auto let "
        + workers()
        + " of "
        + Numbers.count(reading.workers(), "worker")
        + " decode, because the consumer waited "
        + Numbers.percent((double) times().waitNanos() / Math.max(1, times().nanos()))
        + " of the time, and reached "
        + Numbers.percent(rowsPerSecond() / best.rowsPerSecond())
        + " of the best speed.\n";
  }

  double rowsPerSecond() {
    return median(speeds);
  }

  /// Returns how long the median run took.
  double seconds() {
    return medianEpoch().stats().rows() / speeds.get(median());
  }

  /// Returns the share of the median run that its steps took; 0 if nothing was delivered.
  double utilisation(StepTime step) {
    LoaderStats stats = medianEpoch().stats();
    return stats.rows() == 0 ? 0 : stats.batches() * step.seconds() / seconds();
  }

  /// Returns what limited the median run.
  Advice bottleneck() {
    return medianEpoch().stats().bottleneck();
  }

  double waitSeconds() {
    return median(epochs.stream().map(each -> each.stats().times().waitNanos() / 1e9).toList());
  }

  private double slowest() {
    return speeds.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  private double fastest() {
    return speeds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /// Returns the spread of the rounds, as a share of the median to either side.
  double noise() {
    return (fastest() - slowest()) / 2 / rowsPerSecond();
  }

  boolean overlaps(BenchSetting other) {
    return fastest() >= other.slowest() && other.fastest() >= slowest();
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
