package dev.penstock.benchmarks;

import dev.penstock.benchmarks.formats.FormatReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

/// Reads a workload's files with a [FormatReader], a file at a time on each thread, and prints the
/// same line as [LoaderRun].
public final class FormatRun {
  private FormatRun() {}

  /// Runs one workload.
  ///
  /// @param args `READER WORKLOAD DATA_DIR [threads] [warm-up epochs] [epochs]`
  /// @throws Exception if a file cannot be read, or its rows are not those of the manifest
  public static void main(String[] args) throws Exception {
    FormatReader reader =
        ServiceLoader.load(FormatReader.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals(args[0]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No reader '" + args[0] + "'."));
    Settings settings = Settings.of(Arrays.copyOfRange(args, 1, args.length));
    Expected expected = Expected.read(settings.data(), settings.workload());
    List<Path> files = PagesOnly.files(settings.workload().location(settings.data()));
    List<Callable<Long>> parts = new ArrayList<>();
    long checksum = 0;
    for (Path file : files) {
      parts.add(() -> (long) reader.read(file).rows());
    }

    Epochs epochs = new Epochs(settings);
    epochs.run(parts);
    for (Path file : files) {
      checksum += reader.read(file).checksum();
    }
    String sum = HexFormat.of().toHexDigits(checksum);
    if (!sum.equals(expected.checksum())) {
      throw new IllegalStateException(
          args[0] + " read rows with checksum " + sum + ", expected " + expected.checksum());
    }
    System.out.println(epochs.json(reader.name(), expected, null));
  }
}
