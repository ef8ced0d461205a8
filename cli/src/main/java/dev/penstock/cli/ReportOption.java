package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import dev.penstock.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Whether to write what was done as a page.
final class ReportOption {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write who read what, where the time went, and what to change, as one HTML file that needs"
              + " no network.")
  private @Nullable Path file;

  boolean isWanted() {
    return file != null;
  }

  /// Checks that the file can be written before a long run, not behind it.
  ///
  /// @throws IllegalArgumentException if it cannot
  void requireWritable() {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    String why =
        Files.isDirectory(file)
            ? "it is a folder. Name a file in it."
            : folder == null || !Files.isDirectory(folder)
                ? "there is no folder " + folder + "."
                : Files.isWritable(folder) ? "" : "nothing may be written to " + folder + ".";
    if (!why.isEmpty()) {
      throw new IllegalArgumentException("Cannot write the report " + file + ": " + why);
    }
  }

  /// Writes the page, if it is wanted, and says where.
  ///
  /// @throws UncheckedIOException if it cannot be written
  void write(Report report, Terminal terminal) {
    if (file == null) {
      return;
    }
    try {
      report.write(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the report " + file + ": " + e, e);
    }
    terminal.say("Report: " + file);
  }
}
