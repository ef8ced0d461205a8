package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Reads many files from a store behind a network, and says how near it comes to what the
/// connections give, how many requests it made, and how long the first batch took.
///
/// `RemoteRun FILE [connections] [files] [epochs] [workers]`: one Parquet file, which is served
/// under as many names, with 40 ms for each request and 40 MB/s for each connection.
public final class RemoteRun {
  private RemoteRun() {}

  /// Runs it.
  ///
  /// @param args see [RemoteRun]
  /// @throws IOException if the file cannot be read
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    long fileBytes = Files.size(file);
    int connections = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    int files = args.length > 2 ? Integer.parseInt(args[2]) : 200;
    int epochs = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    String workers = args.length > 4 ? args[4] : "2";
    Map<String, Path> names =
        IntStream.range(0, files)
            .mapToObj(i -> String.format("part-%03d.parquet", i))
            .collect(Collectors.toMap(name -> name, _ -> file));
    try (SlowServer server = new SlowServer(names)) {
      List<String> urls = server.urls();
      StructuredDataset dataset =
          new StructuredDataset(urls).storageOption("concurrency", Integer.toString(connections));
      int columns = dataset.fileSchema().size();
      System.out.printf(
          "%d files of %.1f MB, %d columns; footers: %d GETs, %.1f MB%n",
          files, fileBytes / 1e6, columns, server.gets(), server.bytes() / 1e6);
      run(dataset, server, connections, (double) files * fileBytes, epochs, workers);
      List<String> few = dataset.fileSchema().names();
      run(
          dataset.columns(few.get(5), few.get(columns / 2), few.get(columns - 3)),
          server,
          connections,
          (double) files * fileBytes,
          epochs,
          workers);
      for (int i = 0; i < epochs; i++) {
        runCold(urls, connections, server);
      }
    }
  }

  /// Makes a dataset and a loader anew and takes one batch: all round trips before it count.
  private static void runCold(List<String> urls, int connections, SlowServer server) {
    server.reset();
    long start = System.nanoTime();
    StructuredDataset dataset =
        new StructuredDataset(urls).storageOption("concurrency", Integer.toString(connections));
    int files = dataset.files().size();
    double planned = (System.nanoTime() - start) / 1e6;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(1024).workers(2));
        EpochIterator<Batch> batches = loader.iterator();
        Batch batch = batches.next()) {
      double first = (System.nanoTime() - start) / 1e6;
      System.out.printf(
          Locale.ROOT,
          "cold: %d files looked at and their footers read after %.0f ms (%.1f round trips), first"
              + " batch of %d rows after %.0f ms (%.1f round trips)%n",
          files,
          planned,
          planned / SlowServer.LATENCY_MILLIS,
          batch.rowCount(),
          first,
          first / SlowServer.LATENCY_MILLIS);
    }
  }

  private static LoaderOptions options(LoaderOptions options, String workers) {
    LoaderOptions sized = options.batchSize(1024);
    return workers.equals("auto") ? sized.autoWorkers() : sized.workers(Integer.parseInt(workers));
  }

  private static void run(
      StructuredDataset dataset,
      SlowServer server,
      int connections,
      double allBytes,
      int epochs,
      String workers) {
    try (DataLoader loader = DataLoader.of(dataset, o -> options(o, workers))) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        server.reset();
        long rows = 0;
        long start = System.nanoTime();
        double first = 0;
        try (EpochIterator<Batch> batches = loader.iterator()) {
          while (batches.hasNext()) {
            try (Batch batch = batches.next()) {
              rows += batch.rowCount();
              first = first == 0 ? System.nanoTime() - start : first;
            }
          }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double bytes = server.bytes();
        // A connection that asks for the next range when it has the last one gives this much.
        double perGet = bytes / Math.max(1, server.gets());
        double given =
            perGet
                / (perGet / SlowServer.BYTES_PER_SECOND + SlowServer.LATENCY_MILLIS / 1e3)
                * connections;
        System.out.printf(
            Locale.ROOT,
            "%d columns: %d rows in %.2f s, %.0f MB/s: %.0f %% of %d x 40 MB/s, %.0f %% of what they"
                + " give with a round trip for each range; %d GETs, at most %d at once; %.1f %% of"
                + " the bytes; first batch after %.0f ms (%.1f round trips)%n",
            dataset.schema().size(),
            rows,
            seconds,
            bytes / seconds / 1e6,
            100 * bytes / seconds / (connections * SlowServer.BYTES_PER_SECOND),
            connections,
            100 * bytes / seconds / given,
            server.gets(),
            server.atOnce(),
            100 * bytes / allBytes,
            first / 1e6,
            first / 1e6 / SlowServer.LATENCY_MILLIS);
      }
    }
  }
}
