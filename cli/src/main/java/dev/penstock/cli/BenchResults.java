package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.options.Reading;
import dev.penstock.report.Option;
import dev.penstock.report.Run;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The speeds with different numbers of workers, and what to conclude.
final class BenchResults {
  /// A setting with fewer workers that is this close to the best counts as equally good.
  private static final double GOOD_ENOUGH = 0.95;

  private final Map<Reading, Setting> settings = new LinkedHashMap<>();

  /// The runs of one setting.
  static final class Setting {
    private final Reading reading;
    private final List<Double> speeds = new ArrayList<>();
    private final List<EpochRecord> epochs = new ArrayList<>();

    private Setting(Reading reading) {
      this.reading = reading;
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
          Optional.empty());
    }

    boolean isAuto() {
      return reading.autoWorkers();
    }

    private String label() {
      return isAuto() ? "auto" : String.valueOf(reading.workers());
    }

    /// Returns what the loader chose, and why.
    private String choice(Setting best) {
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
    private double noise() {
      return (fastest() - slowest()) / 2 / rowsPerSecond();
    }

    private boolean overlaps(Setting other) {
      return fastest() >= other.slowest() && other.fastest() >= slowest();
    }
  }

  void add(Reading reading, double rowsPerSecond, EpochRecord epoch) {
    Setting setting = settings.computeIfAbsent(reading, Setting::new);
    setting.speeds.add(rowsPerSecond);
    setting.epochs.add(epoch);
  }

  List<Setting> settings() {
    return List.copyOf(settings.values());
  }

  /// Returns the setting with the fewest workers whose speed is within 5 % of the best.
  Setting recommended() {
    double best = best().rowsPerSecond();
    return fewest(
        settings.values().stream()
            .filter(setting -> setting.rowsPerSecond() >= GOOD_ENOUGH * best)
            .toList());
  }

  /// Returns the setting with the fewest workers; a fixed number rather than a chosen one.
  private static Setting fewest(List<Setting> some) {
    return some.stream()
        .min(Comparator.comparingInt(Setting::workers).thenComparing(Setting::isAuto))
        .orElseThrow();
  }

  private Setting best() {
    return Collections.max(settings.values(), Comparator.comparingDouble(Setting::rowsPerSecond));
  }

  /// Returns the settings that may be the best: those whose rounds overlap with those of the best.
  private List<Setting> contenders() {
    Setting best = best();
    return settings.values().stream().filter(setting -> setting.overlaps(best)).toList();
  }

  /// Returns a table and its interpretation, for a terminal of `columns` characters.
  String text(int columns) {
    List<Setting> contenders = contenders();
    boolean tie = contenders.size() > 1;
    Setting recommended = recommended();
    TextTable table =
        new TextTable().right("workers").right("rows/s").right("noise").right("waited").left("");
    for (Setting setting : settings.values()) {
      table.row(
          setting.label(),
          Numbers.rate(setting.rowsPerSecond()),
          rounds() == 1 ? "?" : "± " + Numbers.percent(setting.noise()),
          Numbers.fixed(setting.waitSeconds(), 3) + " s",
          tie
              ? contenders.contains(setting) ? "<- within the noise" : ""
              : setting.equals(recommended) ? "<- recommended" : "");
    }
    return table.fit(columns)
        + "\n"
        + (tie ? tie(contenders) : winner(recommended))
        + overlap(recommended, tie)
        + settings.values().stream()
            .filter(Setting::isAuto)
            .map(setting -> setting.choice(best()))
            .collect(Collectors.joining());
  }

  private String tie(List<Setting> contenders) {
    double noise = contenders.stream().mapToDouble(Setting::noise).max().orElse(0);
    List<String> workers = contenders.stream().map(Setting::label).toList();
    return "No winner: with "
        + String.join(", ", workers.subList(0, workers.size() - 1))
        + " and "
        + workers.getLast()
        + " workers the rounds overlap, within "
        + "± "
        + Numbers.percent(noise)
        + ". Use the fewest, --workers "
        + fewest(contenders).label()
        + ", or tell them apart with more --rounds than "
        + rounds()
        + ".\n";
  }

  private String winner(Setting recommended) {
    String use = "Use --workers " + recommended.label() + ": ";
    if (settings.size() == 1) {
      return use + "nothing else was measured.\n";
    }
    return use
        + "the fewest within 5 % of the best, by the median of "
        + Numbers.count(rounds(), "epoch")
        + " each"
        + (rounds() == 1 ? ". How noisy that is takes more --rounds to tell" : "")
        + ".\n";
  }

  private static String overlap(Setting recommended, boolean tie) {
    return recommended.workers() == 0 && !tie
        ? "With 0 the training loop decodes between its steps; 1 lets steps and decoding"
            + " overlap.\n"
        : "";
  }

  private int rounds() {
    return settings().getFirst().speeds.size();
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
