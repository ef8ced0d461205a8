package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.options.LoaderOptions;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/// Reads a file of text to its end, again and again: as a new dataset, and in a further epoch of
/// the same loader. Prints who, seconds by the clock, seconds of the processor and rows, a line
/// each.
///
/// Arguments: the file, how often, how many workers.
public final class TextRun {
  private TextRun() {}

  /// Runs it.
  ///
  /// @param arguments file, rounds, workers
  public static void main(String[] arguments) {
    int workers = Integer.parseInt(arguments[2]);
    for (int round = Integer.parseInt(arguments[1]); round > 0; round--) {
      LoaderOptions options =
          LoaderOptions.defaults().batchSize(8192).workers(workers).nulls(NullPolicy.mask());
      long wall = System.nanoTime();
      long processor = processorNanos();
      StructuredDataset dataset = new StructuredDataset(arguments[0]);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        long rows = pass(loader);
        print("penstock", wall, processor, rows);
        wall = System.nanoTime();
        processor = processorNanos();
        rows = pass(loader);
        print("penstock-again", wall, processor, rows);
      }
    }
  }

  private static long pass(DataLoader loader) {
    long rows = 0;
    for (Batch batch : loader) {
      try (batch) {
        rows += batch.rowCount();
      }
    }
    return rows;
  }

  private static long processorNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void print(String who, long wall, long processor, long rows) {
    System.out.printf(
        Locale.ROOT,
        "%s %.3f %.3f %d%n",
        who,
        (System.nanoTime() - wall) / 1e9,
        (processorNanos() - processor) / 1e9,
        rows);
  }
}
