package dev.penstock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// The limit of any reader: reads a workload's files, decompresses them, of Parquet the pages of
/// the wanted columns, and does nothing with them.
///
/// Prints the same line as [LoaderRun]. There is no checksum to take, so `ok` says only that all
/// rows were passed.
public final class PagesOnly {
  private static final ThreadLocal<Pages.Decompressor> DECOMPRESSORS =
      ThreadLocal.withInitial(Pages.Decompressor::new);

  private PagesOnly() {}

  /// Runs one workload.
  ///
  /// @param args `WORKLOAD DATA_DIR [threads] [warm-up epochs] [epochs] [map|read]`; by default as
  ///   [LoaderRun], and `map`: pages of Parquet are found in mapped files, instead of being read
  ///   into a buffer
  /// @throws Exception if a file cannot be read
  public static void main(String[] args) throws Exception {
    Settings settings = Settings.of(args);
    boolean mapped = args.length <= 5 || args[5].equals("map");
    Workload workload = settings.workload();
    Expected expected = Expected.read(settings.data(), workload);

    Epochs epochs = new Epochs(settings);
    List<Callable<Long>> parts = new ArrayList<>();
    List<Path> files = files(workload.location(settings.data()));
    for (Path file : files) {
      if (file.toString().endsWith(".parquet")) {
        for (Pages.Group group : Pages.groups(file, workload.columns(), mapped)) {
          parts.add(() -> DECOMPRESSORS.get().run(group));
        }
      } else {
        FileBytes bytes = FileBytes.of(file);
        parts.add(() -> {
          bytes.read();
          return expected.rows() / files.size();
        });
      }
    }
    epochs.run(parts);
    System.out.println(epochs.json("pages-only", expected, null));
  }

  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> listed = Files.list(folder)) {
      return listed.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
