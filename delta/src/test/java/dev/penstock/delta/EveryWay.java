package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Field;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;

/// Reads a table in all the ways that must make no difference to its rows.
final class EveryWay {
  private EveryWay() {}

  /// Checks that small splits, workers, shuffling, ranks, and a stop in the middle leave the rows
  /// as they are, and returns them.
  ///
  /// @return the rows as texts, in file order
  static List<String> read(StructuredDataset dataset) {
    List<String> inOrder = read(dataset, options(0));
    StructuredDataset small = dataset.splitRows(1 + inOrder.size() / 100);
    assertThat(read(small, options(1))).isEqualTo(inOrder);
    assertThat(read(dataset.splitBytes("1KiB"), options(8))).isEqualTo(inOrder);
    int batchSize = 1 + inOrder.size() / 20;
    LoaderOptions shuffled =
        options(2).batchSize(batchSize).shuffle(Shuffle.window(2 + inOrder.size() / 10)).seed(7);
    int batches = Math.ceilDiv(inOrder.size(), batchSize);
    List<String> whole = read(small, shuffled);
    assertThat(sorted(whole)).isEqualTo(sorted(inOrder));
    List<String> ofRanks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ofRanks.addAll(resumed(small, shuffled.rank(new Rank(rank, 2)), batches / 4));
    }
    assertThat(sorted(ofRanks)).isEqualTo(sorted(inOrder));
    assertThat(resumed(small, shuffled, batches / 2)).isEqualTo(whole);
    assertThat(resumed(small, options(8).batchSize(batchSize), batches / 3)).isEqualTo(inOrder);
    return inOrder;
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().workers(workers).output(OutputFormat.MAP);
  }

  static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  /// Returns the rows of an epoch as texts.
  static List<String> read(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.MAP))) {
      return rows(dataset, loader, Integer.MAX_VALUE);
    }
  }

  /// Reads some batches, stops, and goes on with another loader.
  private static List<String> resumed(
      StructuredDataset dataset, LoaderOptions options, int batches) {
    List<String> rows;
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      rows = rows(dataset, loader, batches);
      state = LoaderState.parse(loader.state().toJson());
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(state);
      rows.addAll(rows(dataset, loader, Integer.MAX_VALUE));
    }
    return rows;
  }

  private static List<String> rows(StructuredDataset dataset, DataLoader loader, int most) {
    List<Field> fields = dataset.schema().fields();
    List<String> rows = new ArrayList<>();
    try (EpochIterator<Batch> batches = loader.iterator()) {
      for (int i = 0; i < most && batches.hasNext(); i++) {
        try (Batch batch = batches.next()) {
          List<List<?>> columns = new ArrayList<>();
          fields.forEach(field -> columns.add(batch.list(field.name())));
          for (int row = 0; row < batch.rowCount(); row++) {
            List<Object> values = new ArrayList<>();
            for (List<?> column : columns) {
              values.add(column.get(row));
            }
            rows.add(SparkJson.inMicros(fields, values));
          }
        }
      }
    }
    return rows;
  }
}
