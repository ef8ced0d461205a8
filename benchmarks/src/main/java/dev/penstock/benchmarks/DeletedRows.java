package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// A table with deleted rows beside one without, in turns, in processor time of all threads.
///
/// The first epoch has opening the table, planning, footers and finding the deleted rows in it.
final class DeletedRows {
  private static final int EPOCHS = 3;

  private DeletedRows() {}

  /// Measures, and prints a line.
  ///
  /// @param columns the columns to read, with commas between them; `*` for all
  /// @param plain opens the table without deletes
  /// @param deleted opens the other
  /// @param rounds how often each is opened and loaded, the first third to warm up
  static void compare(
      String columns,
      Supplier<StructuredDataset> plain,
      Supplier<StructuredDataset> deleted,
      int rounds) {
    List<Supplier<StructuredDataset>> tables = List.of(plain, deleted);
    double[] first = new double[2];
    double[] further = new double[2];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2; i++) {
        int which = (round + i) % 2;
        double start = processorSeconds();
        StructuredDataset dataset = tables.get(which).get();
        if (!columns.equals("*")) {
          dataset = dataset.columns(columns.split(","));
        }
        try (DataLoader loader =
            DataLoader.of(dataset, LoaderOptions.defaults().batchSize(4096).workers(1))) {
          load(loader);
          double one = processorSeconds();
          for (int epoch = 0; epoch < EPOCHS; epoch++) {
            load(loader);
          }
          if (round >= rounds / 3) { // the first third warms up
            first[which] += one - start;
            further[which] += processorSeconds() - one;
          }
        }
      }
    }
    int counted = rounds - rounds / 3;
    System.out.printf(
        Locale.ROOT,
        "%s: first epoch %.1f ms without deletes, %.1f ms with: %.2fx; further %.1f and %.1f: %.2fx%n",
        columns,
        first[0] / counted * 1e3,
        first[1] / counted * 1e3,
        first[0] / first[1],
        further[0] / counted / EPOCHS * 1e3,
        further[1] / counted / EPOCHS * 1e3,
        further[0] / further[1]);
  }

  private static void load(DataLoader loader) {
    for (Batch batch : loader) {
      batch.close();
    }
  }

  /// Ticks of 10 ms: only sums over many rounds tell.
  static double processorSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }
}
