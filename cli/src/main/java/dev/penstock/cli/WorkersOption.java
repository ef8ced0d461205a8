package dev.penstock.cli;

import dev.penstock.LoaderOptions;
import dev.penstock.cli.output.Numbers;
import picocli.CommandLine.Option;

/// How many decoding threads there are.
final class WorkersOption {
  private static final int WORKERS_MAX = 1000;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description =
          "Decoding threads; 0 decodes on the calling thread. auto: the processors this process may"
              + " use less one, at least one. Default: ${DEFAULT-VALUE}.")
  private String workers = "auto";

  /// Returns the options with the chosen number of workers.
  ///
  /// @throws UsageException if it is not a valid number
  LoaderOptions apply(LoaderOptions options) {
    if (workers.equals("auto")) {
      return options.autoWorkers();
    }
    return options.workers(parse(workers));
  }

  /// Reads a number of workers.
  ///
  /// @throws UsageException if it is not a number, or too high to be useful
  static int parse(String text) {
    int count;
    try {
      count = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new UsageException(
          "Cannot use '" + text + "' as a number of workers: expected 0, 1, 2, ... or auto.");
    }
    UsageException.requireAtLeast("--workers", count, 0);
    if (count > WORKERS_MAX) {
      throw new UsageException(
          "--workers must be at most "
              + WORKERS_MAX
              + ", got "
              + count
              + ": each is a thread with memory of its own, and this process may use "
              + Numbers.count(Runtime.getRuntime().availableProcessors(), "processor")
              + ".");
    }
    return count;
  }
}
