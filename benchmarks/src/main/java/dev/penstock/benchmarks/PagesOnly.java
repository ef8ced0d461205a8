package dev.penstock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// The limit of any Parquet reader: decompresses the pages of a workload's columns and does nothing
/// with them.
///
/// Prints the same line as [LoaderRun]. There is no checksum to take, so `ok` says only that all
/// rows were passed.
public final class PagesOnly {
  private PagesOnly() {}

  /// Runs one workload.
  ///
  /// @param args `WORKLOAD DATA_DIR [threads] [warm-up epochs] [epochs] [map|read]`; by default as
  ///   [LoaderRun], and `map`: the pages are found in mapped files, instead of being read into a
  ///   buffer
  /// @throws Exception if a file cannot be read
  public static void main(String[] args) throws Exception {
    Settings settings = Settings.of(args);
    boolean mapped = args.length <= 5 || args[5].equals("map");
    Workload workload = settings.workload();
    Expected expected = Expected.read(settings.data(), workload);
    int threads = settings.threads();

    Epochs epochs = new Epochs(settings);
    List<Pages.Group> groups = new ArrayList<>();
    for (Path file : files(workload.location(settings.data()))) {
      groups.addAll(Pages.groups(file, workload.columns(), mapped));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      while (epochs.isWanted()) {
        epochs.end(decompress(groups, threads, pool), groups.size(), 0);
      }
    }
    System.out.println(epochs.json("pages-only", expected, null));
  }

  private static long decompress(List<Pages.Group> groups, int threads, ExecutorService pool)
      throws InterruptedException, ExecutionException {
    AtomicInteger next = new AtomicInteger();
    Callable<Long> work =
        () -> {
          long rows = 0;
          try (Pages.Decompressor decompressor = new Pages.Decompressor()) {
            for (int i = next.getAndIncrement(); i < groups.size(); i = next.getAndIncrement()) {
              rows += decompressor.run(groups.get(i));
            }
          }
          return rows;
        };
    List<Future<Long>> parts = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      parts.add(pool.submit(work));
    }
    long rows = 0;
    for (Future<Long> part : parts) {
      rows += part.get();
    }
    return rows;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> listed = Files.list(folder)) {
      return listed.filter(path -> path.toString().endsWith(".parquet")).sorted().toList();
    }
  }
}
