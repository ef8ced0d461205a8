package dev.penstock.cli;

import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Terminal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Writes a plan of the files instead of showing one of an epoch.
final class SavePlanOption {
  @Option(
      names = "--save",
      paramLabel = "PLAN",
      description =
          "Write a plan of all files, for --plan, instead of showing one: a file, or a folder,"
              + " which ends in /, where a hash of the files is its name. A plan of the same files"
              + " that is there is left. With --where, it has the rows that match, so that ranks"
              + " need not count them.")
  private @Nullable String place;

  @Option(
      names = "--statistics",
      paramLabel = "a,b",
      split = ", *",
      hideParamSyntax = true,
      description =
          "With --save: columns whose statistics the plan has, so that --where need not read"
              + " footers.")
  private List<String> statistics = List.of();

  /// Returns whether a plan is to be saved.
  ///
  /// @param isGiven whether a plan is to be read
  boolean isWanted(boolean isGiven) {
    if (place == null && !statistics.isEmpty()) {
      throw new UsageException("Cannot use --statistics without --save: add it.");
    }
    if (place != null && isGiven) {
      throw new UsageException("Cannot use --plan with --save: leave one of them out.");
    }
    return place != null;
  }

  void save(StructuredDataset dataset, Terminal terminal, boolean json) {
    SavedPlan saved = dataset.savePlan(String.valueOf(place), statistics.toArray(String[]::new));
    if (json) {
      terminal.printJson(out -> {
        out.writeStartObject();
        out.writeStringProperty("plan", saved.location().text());
        out.writeBooleanProperty("isNew", saved.isNew());
        out.writeEndObject();
      });
    } else {
      terminal.print(
          (saved.isNew() ? "saved the plan " : "left the plan that is there: ")
              + saved.location()
              + "\n");
    }
  }
}
