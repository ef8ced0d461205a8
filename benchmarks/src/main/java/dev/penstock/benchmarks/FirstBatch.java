package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/// What a folder costs one rank until it has its first batch, in a JVM that has just started.
final class FirstBatch {
  private FirstBatch() {}

  /// Runs `FOLDER COLUMNS [PLAN]`: reads the first columns, whose number is COLUMNS.
  public static void main(String[] args) {
    long start = System.nanoTime();
    StructuredDataset folder = new StructuredDataset(args[0]);
    StructuredDataset all = args.length > 2 ? folder.plan(args[2]) : folder;
    StructuredDataset dataset =
        all.columns(all.schema().names().subList(0, Integer.parseInt(args[1])));
    try (DataLoader loader = DataLoader.of(dataset, LoaderOptions.defaults().seed(1));
        EpochIterator<Batch> epoch = loader.iterator()) {
      epoch.next().close();
      double seconds = (System.nanoTime() - start) / 1e9;
      double processor = ProcessCosts.processorSeconds();
      long peak =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == MemoryType.HEAP)
              .map(MemoryPoolMXBean::getPeakUsage)
              .mapToLong(usage -> usage.getUsed())
              .sum();
      double heap = ProcessCosts.heap();
      System.out.printf(
          "%n| files | row groups | columns | seconds | processor seconds | live heap, MB | most heap,"
              + " MB |%n|---:|---:|---:|---:|---:|---:|---:|%n| %,d | %,d | %,d | %.2f | %.2f | %.1f"
              + " | %.1f |%n",
          dataset.files().size(),
          dataset.files().stream().mapToInt(file -> file.rowGroups().size()).sum(),
          all.schema().size(),
          seconds,
          processor,
          heap,
          peak / 1e6);
    }
  }
}
