package dev.penstock.benchmarks.score;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// What a process says at its end, as a line of JSON.
final class Printed {
  private Printed() {}

  /// Prints it.
  ///
  /// @param seconds those of each run
  /// @param sum of all scores
  /// @param more other fields, each behind a comma; may be empty
  static void line(long rows, double[] seconds, double sum, String more) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "{\"rows\": %d, \"seconds\": %s, \"sum\": %.3f, \"peakMb\": %d%s}%n",
        rows,
        Arrays.toString(seconds),
        sum,
        peakMegabytes(),
        more);
  }

  /// Returns the most memory that this process had, as Linux counts it.
  private static long peakMegabytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) / 1000)
        .findFirst()
        .orElse(0);
  }
}
