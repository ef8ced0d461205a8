package dev.penstock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.split.Plan;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// What Iceberg tables cost: a table with deleted rows beside the same without, and planning many
/// files. `benchmarks/iceberg.sh` runs it on the tables that it needs.
///
/// Time is that of the processor, of all threads of this JVM, and of plans also that of the clock:
/// of one that reads the manifests and one footer, then of one that reads all footers. The first
/// epoch has opening the table, planning, footers, delete files and the pass over the key columns
/// in it.
public final class IcebergRun {
  private static final int EPOCHS = 3;

  private IcebergRun() {}

  /// Runs all of it.
  ///
  /// @param args `FOLDER ROUNDS`
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    for (int round = 0; round < Math.min(rounds, 8); round++) {
      StructuredDataset many = IcebergDataset.metadata(folder.resolve("many").toString()).dataset();
      plan("manifests, round " + round, many.where("id < 50"));
      plan("manifests and footers, round " + round, many);
    }
    for (String columns : List.of("*", "id,f0,f1,f2,f3,f4,f5,f6,f7", "n0,n1,n2,n3")) {
      deletes(folder, columns, rounds);
    }
  }

  private static void plan(String what, StructuredDataset dataset) {
    long clock = System.nanoTime();
    double processor = processorSeconds();
    Plan plan = dataset.plan(LoaderOptions.defaults(), 0);
    System.out.printf(
        Locale.ROOT,
        "%s: %d of %d files, %.2f s by the clock, %.2f s of the processor%n",
        what,
        plan.files().size(),
        plan.files().size() + plan.prunedFiles().size(),
        (System.nanoTime() - clock) / 1e9,
        processorSeconds() - processor);
  }

  private static void deletes(Path folder, String columns, int rounds) {
    List<String> tables = List.of("plain", "deleted");
    double[] first = new double[2];
    double[] further = new double[2];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2; i++) {
        int which = (round + i) % 2;
        double start = processorSeconds();
        StructuredDataset dataset =
            IcebergDataset.metadata(folder.resolve(tables.get(which)).toString()).dataset();
        if (!columns.equals("*")) {
          dataset = dataset.columns(columns.split(","));
        }
        try (DataLoader loader =
            new DataLoader(dataset, LoaderOptions.defaults().batchSize(4096).workers(1))) {
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
  private static double processorSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }
}
