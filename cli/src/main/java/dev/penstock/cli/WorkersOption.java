package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.options.LoaderOptions;
import picocli.CommandLine.Option;

/// How many decoding threads there are.
final class WorkersOption {
  private static final String AUTO = "auto";
  private static final int WORKERS_MAX = 1000;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description =
          "Decoding threads; 0 decodes on the calling thread. auto: as many as the consumer needs, up"
              + " to the processors this process may use. Default: ${DEFAULT-VALUE}.")
  private String workers = AUTO;

  /// Returns the options with the chosen number of workers.
  ///
  /// @throws UsageException if it is not a valid number
  LoaderOptions apply(LoaderOptions options) {
    return apply(workers, options);
  }

  /// Returns the options with a number of workers, or `auto`.
  ///
  /// @throws UsageException if it is not a number, or too high to be useful
  static LoaderOptions apply(String workers, LoaderOptions options) {
    return workers.equals(AUTO) ? options.autoWorkers() : options.workers(parse(workers));
  }

  /// Returns for example `2 workers`, or `up to 2 workers` where the loader chooses.
  static String text(LoaderOptions options) {
    String most = Numbers.count(options.reading().workers(), "worker");
    return options.reading().autoWorkers() ? "up to " + most : most;
  }

  private static int parse(String text) {
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
