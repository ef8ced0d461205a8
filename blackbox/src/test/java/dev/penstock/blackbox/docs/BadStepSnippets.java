package dev.penstock.blackbox.docs;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The code of the guide on bad steps, run by [BadStepTest].
final class BadStepSnippets extends YourCode {
  private final StructuredDataset flights;
  private final LoaderOptions options;

  BadStepSnippets(StructuredDataset flights, LoaderOptions options) {
    this.flights = flights;
    this.options = options;
  }

  List<StepRow> rows(LoaderState state) {
    // @start region=rows-of-steps
    var rows = RowsOfSteps.of(flights, options, state); // or of(flights, options, epoch)
    List<StepRow> step = rows.rows(Steps.of(98)).toList();
    List<StepRow> late = rows.find(Filter.parse("delay > 1400")).toList();
    // @end
    return step.containsAll(late.subList(0, 1)) ? late : List.of();
  }

  void skip(Path checkpoint) throws IOException {
    // @start region=skip-steps
    try (DataLoader loader = DataLoader.of(flights, options)) {
      loader.resume(LoaderState.parse(Files.readString(checkpoint)));
      loader.skip(Steps.of(98));
      loader.skip(Steps.of(105)); // or Steps.parse("98..106")
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void exclude(Path checkpoint, List<StepRow> late) throws IOException {
    // @start region=exclude-rows
    try (DataLoader loader = DataLoader.of(flights, options)) {
      loader.resume(LoaderState.parse(Files.readString(checkpoint)));
      loader.exclude(ExcludedRows.rows(late)); // or ExcludedRows.keys("id", List.of(17, 41))
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }
}
