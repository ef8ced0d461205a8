package dev.penstock.examples.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How much memory this process takes, as Linux counts it.
final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";

  private ProcessMemory() {}

  /// Returns the most that it has taken, heap and native.
  ///
  /// @return bytes; 0 on other systems
  static long peakBytes() {
    try (var lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(PEAK))
          .map(line -> line.substring(PEAK.length()).replace("kB", "").trim())
          .mapToLong(kib -> Long.parseLong(kib) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
