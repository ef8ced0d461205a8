package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Code of the guide to reports.
final class ReportSnippets {
  private ReportSnippets() {}

  static void report(String folder, String page, Consumer<Batch> training) throws IOException {
    // @start region=report
    var flights = new StructuredDataset(folder);
    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2).record(true))) {
      for (Batch batch : loader) {
        try (batch) {
          training.accept(batch);
        }
      }
      loader.report(Path.of(page));
    }
    // @end
  }
}
