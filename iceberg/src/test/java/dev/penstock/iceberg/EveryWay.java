package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Reads a table in all the ways that must make no difference to its rows.
final class EveryWay {
  private EveryWay() {}

  /// Checks that tiny splits, workers, shuffling, ranks, plans, and a stop in the middle leave the
  /// rows as they are, and returns them.
  ///
  /// @return the rows as texts, in file order
  static List<String> read(StructuredDataset dataset) {
    List<String> inOrder = ReadTable.read(dataset, options -> options.workers(0));
    StructuredDataset tiny = dataset.splitRows(1 + inOrder.size() / 40);
    for (int workers : new int[] {1, 8}) {
      assertThat(ReadTable.read(tiny, options -> options.workers(workers))).isEqualTo(inOrder);
    }
    LoaderOptions shuffled =
        LoaderOptions.defaults()
            .batchSize(1 + inOrder.size() / 20)
            .output(OutputFormat.MAP)
            .workers(2)
            .shuffle(Shuffle.window(2 + inOrder.size() / 10))
            .seed(7);
    StructuredDataset planned = planned(tiny);
    List<String> whole = resumed(tiny, shuffled, 0);
    assertThat(resumed(planned, shuffled, 0)).isEqualTo(whole);
    assertThat(ReadTable.sorted(whole)).isEqualTo(ReadTable.sorted(inOrder));
    int batches = inOrder.size() / (1 + inOrder.size() / 20);
    assertThat(resumed(tiny, shuffled, batches / 2)).isEqualTo(whole);
    List<String> ofRanks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ofRanks.addAll(resumed(planned, tiny, shuffled.rank(new Rank(rank, 2)), batches / 4));
    }
    assertThat(ReadTable.sorted(ofRanks)).isEqualTo(ReadTable.sorted(inOrder));
    return inOrder;
  }

  /// Returns the dataset with a plan, which is in memory from then on.
  private static StructuredDataset planned(StructuredDataset dataset) {
    try {
      Path folder = Files.createTempDirectory("penstock-plan");
      Path plan = folder.resolve("plan");
      SavedPlan _ = dataset.savePlan(plan.toString());
      StructuredDataset planned = dataset.plan(plan.toString());
      List<DataFileInfo> _ = planned.files();
      Files.delete(plan);
      Files.delete(folder);
      return planned;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads some batches, stops, and goes on with another loader.
  static List<String> resumed(StructuredDataset dataset, LoaderOptions options, int batches) {
    return resumed(dataset, dataset, options, batches);
  }

  private static List<String> resumed(
      StructuredDataset dataset, StructuredDataset again, LoaderOptions options, int batches) {
    List<String> rows = new ArrayList<>();
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      Iterator<Batch> iterator = loader.iterator();
      for (int i = 0; i < batches && iterator.hasNext(); i++) {
        try (Batch batch = iterator.next()) {
          rows.addAll(ReadTable.texts(batch));
        }
      }
      state = LoaderState.parse(loader.state().toJson());
    }
    try (DataLoader loader = DataLoader.of(again, options)) {
      loader.resume(state);
      for (Batch batch : loader) {
        try (batch) {
          rows.addAll(ReadTable.texts(batch));
        }
      }
    }
    return rows;
  }
}
