package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.options.Reading;
import dev.penstock.report.Option;
import dev.penstock.report.Run;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

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

  /// Returns the run of the median, the faster of two.
  Run run(boolean isRecommended) {
    List<Integer> bySpeed =
        IntStream.range(0, speeds.size())
            .boxed()
            .sorted(Comparator.comparingDouble(speeds::get))
            .toList();
    return new Run(
        label() + (label().equals("1") ? " worker" : " workers"),
        List.of(new Option("workers", label())),
        isRecommended,
        epochs.get(bySpeed.get(bySpeed.size() / 2)),
        Optional.empty(),
        OptionalDouble.empty());
  }

  boolean isAuto() {
    return reading.autoWorkers();
  }

  String label() {
    return isAuto() ? "auto" : String.valueOf(reading.workers());
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
