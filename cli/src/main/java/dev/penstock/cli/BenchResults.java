package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.options.Reading;
import dev.penstock.stats.EpochRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The speeds with different numbers of workers, and what to conclude.
final class BenchResults {
  /// A setting with fewer workers that is this close to the best counts as equally good.
  private static final double GOOD_ENOUGH = 0.95;

  private final Map<Reading, BenchSetting> settings = new LinkedHashMap<>();

  void add(Reading reading, double rowsPerSecond, EpochRecord epoch) {
    BenchSetting setting = settings.computeIfAbsent(reading, BenchSetting::new);
    setting.add(rowsPerSecond, epoch);
  }

  List<BenchSetting> settings() {
    return List.copyOf(settings.values());
  }

  /// Returns the setting with the fewest workers whose speed is within 5 % of the best.
  BenchSetting recommended() {
    double best = best().rowsPerSecond();
    return fewest(
        settings.values().stream()
            .filter(setting -> setting.rowsPerSecond() >= GOOD_ENOUGH * best)
            .toList());
  }

  /// Returns the setting with the fewest workers; a fixed number rather than a chosen one.
  static BenchSetting fewest(List<BenchSetting> some) {
    return some.stream()
        .min(Comparator.comparingInt(BenchSetting::workers).thenComparing(BenchSetting::isAuto))
        .orElseThrow();
  }

  private BenchSetting best() {
    return Collections.max(
        settings.values(), Comparator.comparingDouble(BenchSetting::rowsPerSecond));
  }

  /// Returns the settings that may be the best: those whose rounds overlap with those of the best.
  private List<BenchSetting> contenders() {
    BenchSetting best = best();
    return settings.values().stream().filter(setting -> setting.overlaps(best)).toList();
  }

  /// Returns a table and its interpretation, for a terminal of `columns` characters.
  String text(int columns) {
    List<BenchSetting> contenders = contenders();
    boolean tie = contenders.size() > 1;
    BenchSetting recommended = recommended();
    TextTable table = BenchSetting.head(new TextTable()).left("");
    for (BenchSetting setting : settings.values()) {
      List<String> cells = new ArrayList<>(setting.cells());
      cells.add(
          tie
              ? contenders.contains(setting) ? "<- within the noise" : ""
              : setting.equals(recommended) ? "<- recommended" : "");
      table.row(cells);
    }
    return table.fit(columns)
        + "\n"
        + (tie ? tie(contenders) : winner(recommended))
        + (tie ? "" : overlap(recommended))
        + choices();
  }

  /// Returns what the loader chose where it may, and why.
  String choices() {
    return settings.values().stream()
        .filter(BenchSetting::isAuto)
        .map(setting -> setting.choice(best()))
        .collect(Collectors.joining());
  }

  private String tie(List<BenchSetting> contenders) {
    double noise = contenders.stream().mapToDouble(BenchSetting::noise).max().orElse(0);
    List<String> workers = contenders.stream().map(BenchSetting::label).toList();
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

  private String winner(BenchSetting recommended) {
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

  /// Returns what workers are good for, where none are recommended; otherwise an empty text.
  static String overlap(BenchSetting recommended) {
    return recommended.workers() == 0
        ? "With 0 the training loop decodes between its steps; 1 lets steps and decoding"
            + " overlap.\n"
        : "";
  }

  private int rounds() {
    return settings().getFirst().rounds();
  }
}
