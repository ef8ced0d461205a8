package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LocalCache;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One loader, kept for all its epochs, as [Turns] runs it: each call delivers an epoch and returns
/// its nanoseconds. Before the first one, an epoch of its own is compared with the manifest. It is
/// open as long as the process lives.
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
  private boolean isChecked;

  /// Opens the files.
  ///
  /// @param name `WORKLOAD[:SHUFFLE][@WORKERS][+THREADSxTHOUSANDS][/http][/cache]`, as
  ///   `w3:window:65536@2`; without workers if not given; workers may be `auto`; then a
  ///   [BusyConsumer]; with `/http` from a [SlowServer]; with `/cache` with a cache, in a folder of
  ///   the data
  /// @param data the folder of all workloads' data
  /// @throws IOException if the data is not there, or its manifest
  public Turn(String name, Path data) throws IOException {
    List<String> places = List.of(name.split("/", -1));
    String[] whole = places.getFirst().split("\\+", 2);
    consumer = whole.length > 1 ? BusyConsumer.parse(whole[1]) : BusyConsumer.IDLE;
    String[] parts = whole[0].split("@", 2);
    String[] order = parts[0].split(":", 2);
    workload = Workload.named(order[0]);
    expected = Expected.read(data, workload);
    StructuredDataset dataset =
        dataset(data, places.contains("http"), places.contains("cache"))
            .columns(workload.columns());
    LoaderOptions options = workload.options(0);
    if (parts.length > 1) {
      options =
          parts[1].equals("auto")
              ? options.autoWorkers()
              : options.workers(Integer.parseInt(parts[1]));
    }
    loader =
        DataLoader.of(
            workload.filter(expected).map(dataset::filter).orElse(dataset),
            order.length > 1 ? options.shuffle(Shuffle.parse(order[1])).seed(1) : options);
  }

  private StructuredDataset dataset(Path data, boolean isRemote, boolean isCached)
      throws IOException {
    Path location = workload.location(data);
    StructuredDataset dataset =
        isRemote
            ? new StructuredDataset(serve(location))
            : new StructuredDataset(location.toString());
    if (!isCached) {
      return dataset;
    }
    Path folder = data.resolve(isRemote ? "cache-http" : "cache");
    if (isRemote && Files.exists(folder)) {
      LocalCache.at(folder.toString()).clear(); // it is of servers that are gone
    }
    return dataset.cache(folder.toString(), "16GiB");
  }

  /// Starts a server, which runs as long as the process lives.
  private static List<String> serve(Path location) throws IOException {
    try (Stream<Path> files = Files.walk(location)) {
      return new SlowServer(
              files
                  .filter(Files::isRegularFile)
                  .collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file)))
          .urls();
    }
  }

  @Override
  public long getAsLong() {
    if (!isChecked) {
      check();
      isChecked = true;
    }
    Consumer<Batch> touch = batch -> touched += workload.touch(batch);
    long start = System.nanoTime();
    long rows =
        epoch(batch -> {
          touch.accept(batch);
          consumer.work();
        });
    long nanos = System.nanoTime() - start;
    if (rows != expected.rows()) {
      throw new IllegalStateException(
          workload.key() + " delivered " + rows + " rows, expected " + expected.rows());
    }
    return nanos;
  }

  /// Delivers an epoch and compares the sum over all that it has with the manifest's.
  private void check() {
    Checksum checksum = workload.checksum();
    epoch(checksum::add);
    if (!checksum.hex().equals(expected.checksum())) {
      throw new IllegalStateException(
          workload.key()
              + " delivered rows with checksum "
              + checksum.hex()
              + ", expected "
              + expected.checksum());
    }
  }

  private long epoch(Consumer<Batch> consume) {
    long rows = 0;
    try (EpochIterator<Batch> iterator = loader.iterator()) {
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          rows += batch.rowCount();
          consume.accept(batch);
        }
      }
    }
    return rows;
  }
}
