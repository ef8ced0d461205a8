package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The speeds with different numbers of workers, and what to conclude.
final class BenchResults {
  /// A setting with fewer workers that is this close to the best counts as equally good.
  private static final double GOOD_ENOUGH = 0.95;

  private final List<Setting> settings = new ArrayList<>();

  /// The runs of one setting.
  static final class Setting {
    private final int workers;
    private final List<Double> speeds = new ArrayList<>();
    private final List<Double> waits = new ArrayList<>();

    private Setting(int workers) {
      this.workers = workers;
    }

    int workers() {
      return workers;
    }

    /// Returns the median.
    double rowsPerSecond() {
      return median(speeds);
    }

    /// Returns the median.
    double waitSeconds() {
      return median(waits);
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

  /// Adds a run.
  void add(int workers, double rowsPerSecond, double waitSeconds) {
    Setting setting =
        settings.stream().filter(each -> each.workers == workers).findFirst().orElse(null);
    if (setting == null) {
      setting = new Setting(workers);
      settings.add(setting);
    }
    setting.speeds.add(rowsPerSecond);
    setting.waits.add(waitSeconds);
  }

  /// Returns the settings, in insertion order.
  List<Setting> settings() {
    return List.copyOf(settings);
  }

  /// Returns the fewest workers whose speed is within 5 % of the best.
  int recommended() {
    double best = best().rowsPerSecond();
    return settings.stream()
        .filter(setting -> setting.rowsPerSecond() >= GOOD_ENOUGH * best)
        .mapToInt(Setting::workers)
        .min()
        .orElse(0);
  }

  private Setting best() {
    Setting best = settings.getFirst();
    for (Setting setting : settings) {
      best = setting.rowsPerSecond() > best.rowsPerSecond() ? setting : best;
    }
    return best;
  }

  /// Returns the settings that may be the best: those whose rounds overlap with those of the best.
  private List<Setting> contenders() {
    Setting best = best();
    return settings.stream().filter(setting -> setting.overlaps(best)).toList();
  }

  /// Returns a table and its interpretation.
  String text() {
    List<Setting> contenders = contenders();
    boolean tie = contenders.size() > 1;
    int recommended = recommended();
    TextTable table =
        new TextTable().right("workers").right("rows/s").right("noise").right("waited").left("");
    for (Setting setting : settings) {
      table.row(
          String.valueOf(setting.workers),
          Numbers.rate(setting.rowsPerSecond()),
          rounds() == 1 ? "?" : "± " + Numbers.percent(setting.noise()),
          Numbers.fixed(setting.waitSeconds(), 3) + " s",
          tie
              ? contenders.contains(setting) ? "<- within the noise" : ""
              : setting.workers == recommended ? "<- recommended" : "");
    }
    return table + "\n" + (tie ? tie(contenders) : winner(recommended)) + overlap(recommended, tie);
  }

  private String tie(List<Setting> contenders) {
    double noise = contenders.stream().mapToDouble(Setting::noise).max().orElse(0);
    List<String> workers =
        contenders.stream().map(setting -> String.valueOf(setting.workers)).toList();
    int fewest = contenders.stream().mapToInt(Setting::workers).min().orElse(0);
    return "No winner: with "
        + workers.subList(0, workers.size() - 1).stream().collect(Collectors.joining(", "))
        + " and "
        + workers.getLast()
        + " workers the rounds overlap, within "
        + String.format(Locale.ROOT, "± %s", Numbers.percent(noise))
        + ". Use the fewest, --workers "
        + fewest
        + ", or tell them apart with more --rounds than "
        + rounds()
        + ".\n";
  }

  private String winner(int recommended) {
    String use = "Use --workers " + recommended + ": ";
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

  private static String overlap(int recommended, boolean tie) {
    return recommended == 0 && !tie
        ? "With 0 the training loop decodes between its steps; 1 lets steps and decoding"
            + " overlap.\n"
        : "";
  }

  private int rounds() {
    return settings.getFirst().speeds.size();
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
