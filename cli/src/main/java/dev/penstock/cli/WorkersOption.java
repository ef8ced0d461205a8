package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.options.LoaderOptions;

/// How many decoding threads there are.
final class WorkersOption {
  private static final String AUTO = "auto";
  private static final long WORKERS_MAX = OptionTable.WORKERS.form().most();

  private WorkersOption() {}

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
