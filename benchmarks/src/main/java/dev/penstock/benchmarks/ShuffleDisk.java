package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Delivers the rows of a table that does not fit into memory, and says how fast.
///
/// The columns are floats, which become one matrix, and a label. An epoch that is measured must
/// have as many rows as the files, and their sum.
public final class ShuffleDisk {
  private ShuffleDisk() {}

  /// Runs some epochs.
  ///
  /// @param args `FILES CACHE MEMORY WORKERS EPOCHS SHUFFLE`: the folders of the files and of the
  ///   cache, or `-` for none; the loader's memory and workers; how many epochs; how they are
  ///   shuffled, as [Shuffle#parse] reads it
  public static void main(String[] args) {
    StructuredDataset files = new StructuredDataset(args[0]);
    StructuredDataset dataset = args[1].equals("-") ? files : files.cache(args[1], "1TiB");
    List<String> floats =
        files.schema().names().stream().filter(name -> !name.equals("label")).toList();
    LoaderOptions options =
        LoaderOptions.defaults()
            .memory(args[2])
            .workers(Integer.parseInt(args[3]))
            .batchSize(1024)
            .rank(Rank.SINGLE)
            .features("x", floats)
            .shuffle(Shuffle.parse(args[5]));
    long rows = files.files().stream().mapToLong(file -> file.rows()).sum();
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < Integer.parseInt(args[4]); epoch++) {
        run(loader, Path.of(args[0]), rows, floats.size(), args[5]);
      }
    }
  }

  private static void run(DataLoader loader, Path files, long rows, int width, String shuffle) {
    long start = System.nanoTime();
    long first = 0;
    long count = 0;
    double sum = 0;
    try (EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          first = count == 0 ? System.nanoTime() - start : first;
          Tensor matrix = batch.tensor("x");
          for (int row = 0; row < batch.rowCount(); row++) {
            sum += matrix.getFloat((long) row * width);
          }
          count += batch.rowCount();
        }
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (count != rows) {
      throw new IllegalStateException(files + " has " + rows + " rows, delivered: " + count);
    }
    double bytes = (double) rows * (width + 1) * Float.BYTES;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %.2f | %.0f | %.6g |%n",
        shuffle,
        seconds,
        first / 1e9,
        rows / seconds / 1e6,
        bytes / seconds / 1e6,
        sum);
  }
}
