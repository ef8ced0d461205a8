package dev.penstock.metrics;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.testing.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// 300 rows in 3 CSV files of a store in memory, and loaders of them.
final class Rows {
  private final MemoryStorage.Site site = MemoryStorage.site();

  Rows() {
    for (int file = 0; file < 3; file++) {
      String rows =
          IntStream.range(file * 100, file * 100 + 100)
              .mapToObj(id -> id + "\n")
              .collect(Collectors.joining());
      site.put("part-" + file + ".csv", ("id\n" + rows).getBytes(StandardCharsets.UTF_8));
    }
  }

  MemoryStorage.Site site() {
    return site;
  }

  StructuredDataset dataset() {
    return new StructuredDataset(site.location());
  }

  static DataLoader loader(StructuredDataset dataset) {
    return DataLoader.of(dataset, LoaderOptions.defaults().batchSize(7).workers(2));
  }

  /// Runs an epoch to its end.
  static void drain(Loader<Batch> loader) {
    try (EpochIterator<Batch> batches = loader.iterator()) {
      batches.forEachRemaining(Batch::close);
    }
  }
}
