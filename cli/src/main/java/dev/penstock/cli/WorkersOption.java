package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.options.LoaderOptions;
import picocli.CommandLine.Option;

/// How many decoding threads there are.
final class WorkersOption {
  private static final String AUTO = "auto";
  private static final long WORKERS_MAX = OptionTable.WORKERS.form().most();

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
    try {
      int count = Integer.parseInt(text);
      if (count >= 0 && count <= WORKERS_MAX) {
        return count;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw new UsageException(
        "Cannot use --workers '"
            + text
            + "': expected a whole number from 0 to "
            + WORKERS_MAX
            + ", or auto.");
  }
}
