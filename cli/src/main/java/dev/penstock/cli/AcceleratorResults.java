package dev.penstock.cli;

import dev.penstock.cli.measure.StepTime;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;

/// How busy an emulated accelerator was with different numbers of workers, and what to conclude.
///
/// Its utilisation is the share of an epoch that its steps took. The wait for the first batch is
/// part of the epoch.
final class AcceleratorResults {
  /// The utilisation that suffices.
  private static final double ENOUGH = 0.9;

  private final StepTime step;
  private final BenchResults results;
  private final int processors;

  /// Makes the results.
  ///
  /// @param processors how many this machine has
  AcceleratorResults(StepTime step, BenchResults results, int processors) {
    this.step = step;
    this.results = results;
    this.processors = processors;
  }

  private boolean suffices(BenchSetting setting) {
    return setting.utilisation(step) >= ENOUGH;
  }

  /// Returns the setting with the fewest workers that suffice; empty if none does.
  private Optional<BenchSetting> sufficient() {
    List<BenchSetting> all = results.settings().stream().filter(this::suffices).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(BenchResults.fewest(all));
  }

  /// Returns the fewest workers that suffice, or else those with the best speed.
  BenchSetting recommended() {
    return sufficient().orElseGet(results::recommended);
  }

  /// Returns how many workers would suffice if each were as fast as those of the best setting;
  /// empty if a measured setting suffices, or nothing was delivered, or if that was measured to be
  /// wrong.
  OptionalInt workersEstimate() {
    BenchSetting best = results.recommended();
    double utilisation = best.utilisation(step);
    if (utilisation == 0 || sufficient().isPresent()) {
      return OptionalInt.empty();
    }
    // Without workers the thread of the steps loads in the rest of the time.
    double each =
        best.workers() == 0 ? utilisation / (1 - utilisation) : utilisation / best.workers();
    int workers = Math.max(1, (int) Math.ceil(ENOUGH / each));
    return wereMeasured(workers) ? OptionalInt.empty() : OptionalInt.of(workers);
  }

  /// Returns whether as many workers or more were measured, with a processor for each.
  private boolean wereMeasured(int workers) {
    return results.settings().stream()
        .anyMatch(setting -> setting.workers() >= workers && setting.workers() <= processors);
  }

  /// Returns a table and its interpretation, for a terminal of `columns` characters.
  String text(int columns) {
    Optional<BenchSetting> sufficient = sufficient();
    TextTable table = BenchSetting.head(new TextTable()).right("busy").left("");
    for (BenchSetting setting : results.settings()) {
      List<String> cells = new ArrayList<>(setting.cells());
      cells.add(Numbers.percent(setting.utilisation(step)));
      cells.add(sufficient.filter(setting::equals).isPresent() ? "<- suffices" : "");
      table.row(cells);
    }
    return table.fit(columns)
        + "\n"
        + sufficient.map(this::sufficient).orElseGet(this::insufficient)
        + results.choices();
  }

  private String sufficient(BenchSetting fewest) {
    return "Use --workers "
        + fewest.label()
        + ": the fewest measured that keep an accelerator with steps of "
        + step.text()
        + " busy at least "
        + Numbers.percent(ENOUGH)
        + " of the time.\n"
        + heldBack(fewest)
        + BenchResults.overlap(fewest);
  }

  private String insufficient() {
    BenchSetting best = results.recommended();
    return "No measured number of workers suffices: an accelerator with steps of "
        + step.text()
        + " is to be busy "
        + Numbers.percent(ENOUGH)
        + " of the time, and the best, --workers "
        + best.label()
        + ", reaches "
        + Numbers.percent(best.utilisation(step))
        + ".\n"
        + heldBack(best)
        + "An epoch took "
        + Numbers.fixed(best.seconds(), 3)
        + " s. Its start counts, with the wait for the first batch, and weighs most in short"
        + " epochs.\n"
        + estimate(best);
  }

  private String heldBack(BenchSetting setting) {
    return "What holds it back? " + bottleneck(setting) + "\n";
  }

  private String bottleneck(BenchSetting setting) {
    return suffices(setting)
        ? "Nothing: the accelerator is busy."
        : CommandWords.of(setting.bottleneck());
  }

  private String estimate(BenchSetting best) {
    OptionalInt workers = workersEstimate();
    if (workers.isEmpty()) {
      return best.utilisation(step) == 0
          ? ""
          : "No estimate of how many would suffice: more were measured, and they were no faster.\n";
    }
    return "Estimate, not measured: "
        + Numbers.count(workers.getAsInt(), "worker")
        + " would suffice if each were as fast as "
        + switch (best.workers()) {
          case 0 -> "the training loop's thread";
          case 1 -> "that one";
          default -> "each of those " + best.workers();
        }
        + " and had a processor of its own; this machine has "
        + Numbers.count(processors, "processor")
        + ".\n";
  }

  /// Writes the fields of a setting.
  void write(JsonGenerator json, BenchSetting setting) {
    json.writeNumberProperty("acceleratorSeconds", step.seconds())
        .writeNumberProperty("utilisation", setting.utilisation(step))
        .writeBooleanProperty("suffices", suffices(setting))
        .writeStringProperty("bottleneck", bottleneck(setting));
    workersEstimate().ifPresent(workers -> json.writeNumberProperty("workersEstimate", workers));
  }
}
