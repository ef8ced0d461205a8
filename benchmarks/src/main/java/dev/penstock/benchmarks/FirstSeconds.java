package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;

/// How many rows a process has delivered by some seconds after its start. Before them stand the
/// seconds until the loader was made, and until the first batch came.
public final class FirstSeconds {
  /// What was read, so that reading it is not optimised away.
  private static double touched;

  private FirstSeconds() {}

  /// Runs `WORKLOAD DATA_DIR WORKERS STARTED SECOND...`, and prints the cells of a table.
  ///
  /// @param args among them when the process was started, in seconds of the Unix epoch
  public static void main(String[] args) {
    Workload workload = Workload.named(args[0]);
    double started = Double.parseDouble(args[3]);
    double startedByTicks = System.nanoTime() / 1e9 - (System.currentTimeMillis() / 1e3 - started);
    StructuredDataset dataset = workload.dataset(Path.of(args[1]));
    Consumer<Batch> touch = batch -> touched += workload.touch(batch);
    StringBuilder cells = new StringBuilder();
    long rows = 0;
    int next = 4;
    int workers = Integer.parseInt(args[2]);
    try (DataLoader loader = DataLoader.of(dataset, workload.options(workers))) {
      double made = System.nanoTime() / 1e9 - startedByTicks;
      cells.append(String.format(Locale.ROOT, " | %.2f", made));
      while (next < args.length) {
        try (EpochIterator<Batch> epoch = loader.iterator()) {
          while (next < args.length && epoch.hasNext()) {
            try (Batch batch = epoch.next()) {
              touch.accept(batch);
              double now = System.nanoTime() / 1e9 - startedByTicks;
              if (rows == 0) {
                cells.append(String.format(Locale.ROOT, " | %.2f", now));
              }
              for (; next < args.length && now >= Double.parseDouble(args[next]); next++) {
                cells.append(String.format(Locale.ROOT, " | %.1f", rows / 1e6));
              }
              rows += batch.rowCount();
            }
          }
        }
      }
    }
    System.out.println(cells);
  }
}
