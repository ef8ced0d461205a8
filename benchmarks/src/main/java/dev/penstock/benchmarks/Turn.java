package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// One loader, kept for all its epochs, as [Turns] runs it: each call delivers an epoch and returns
/// its nanoseconds. It is open as long as the process lives.
///
/// [Turns] makes it by reflection, behind the class loader of one version of the library, and knows
/// it by types of the JDK only.
public final class Turn implements LongSupplier {
  /// What the consumer has read, so that reading it is not optimised away.
  private static double touched;

  private final Workload workload;
  private final Expected expected;
  private final DataLoader loader;
  private final BusyConsumer consumer;

  /// Opens the files.
  ///
  /// @param name `WORKLOAD[:SHUFFLE][@WORKERS][+THREADSxTHOUSANDS][/cache]`, as
  ///   `w3:window:65536@2`; without workers if not given; workers may be `auto`; then a
  ///   [BusyConsumer]; with a cache, in the folder of the data, if the last part is there
  /// @param data the folder of all workloads' data
  /// @throws IOException if the data has no manifest
  public Turn(String name, Path data) throws IOException {
    boolean isCached = name.endsWith("/cache");
    String[] whole = name.replace("/cache", "").split("\\+", 2);
    consumer = whole.length > 1 ? BusyConsumer.parse(whole[1]) : BusyConsumer.IDLE;
    String[] parts = whole[0].split("@", 2);
    String[] order = parts[0].split(":", 2);
    workload = Workload.named(order[0]);
    expected = Expected.read(data, workload);
    StructuredDataset files =
        new StructuredDataset(workload.folder(data).toString()).columns(workload.columns());
    if (isCached) {
      files = files.cache(data.resolve("cache").toString(), "16GiB");
    }
    LoaderOptions options = workload.options(0);
    if (parts.length > 1) {
      options =
          parts[1].equals("auto")
              ? options.autoWorkers()
              : options.workers(Integer.parseInt(parts[1]));
    }
    loader =
        new DataLoader(
            workload.filter(expected).map(files::filter).orElse(files),
            order.length > 1 ? options.shuffle(Shuffle.parse(order[1])).seed(1) : options);
  }

  @Override
  public long getAsLong() {
    Consumer<Batch> touch = batch -> touched += workload.touch(batch);
    long rows = 0;
    long start = System.nanoTime();
    try (EpochIterator<Batch> iterator = loader.iterator()) {
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          rows += batch.rowCount();
          touch.accept(batch);
          consumer.work();
        }
      }
    }
    long nanos = System.nanoTime() - start;
    if (rows != expected.rows()) {
      throw new IllegalStateException(
          workload.key() + " delivered " + rows + " rows, expected " + expected.rows());
    }
    return nanos;
  }
}
