package dev.penstock.cli;

import dev.penstock.LoaderOptions;
import picocli.CommandLine.Option;

/// How many decoding threads there are.
final class WorkersOption {
  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description =
          "Decoding threads; 0 decodes on the calling thread. auto: the processors this process may"
              + " use less one, at least one. Default: ${DEFAULT-VALUE}.")
  private String workers = "auto";

  /// Returns the options with the chosen number of workers.
  ///
  /// @throws UsageException if it is no such number
  LoaderOptions apply(LoaderOptions options) {
    if (workers.equals("auto")) {
      return options.autoWorkers();
    }
    int count = parse(workers);
    UsageException.requireAtLeast("--workers", count, 0);
    return options.workers(count);
  }

  static int parse(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new UsageException(
          "Cannot use '" + text + "' as a number of workers: expected 0, 1, 2, ... or auto.");
    }
  }
}
