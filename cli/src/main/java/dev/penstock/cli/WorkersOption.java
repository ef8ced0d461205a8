package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.options.LoaderOptions;

/// How many decoding threads there are.
final class WorkersOption {
  private static final long WORKERS_MAX = OptionTable.WORKERS.form().most();

  private WorkersOption() {}

  /// Returns the options with a number of workers, or `auto`.
  ///
  /// @throws UsageException if it is not a number, or too high to be useful
  static LoaderOptions apply(String workers, LoaderOptions options) {
    if (workers.equals("auto")) {
      return options.autoWorkers();
    }
    int count = workers.matches("[-+]?[0-9]{1,9}") ? Integer.parseInt(workers) : -1;
    if (count < 0 || count > WORKERS_MAX) {
      throw new UsageException(
          "Cannot use --workers '%s': expected a whole number from 0 to %s, or auto."
              .formatted(workers, WORKERS_MAX));
    }
    return options.workers(count);
  }

  /// Returns for example `2 workers`, or `up to 2 workers` where the loader chooses.
  static String text(LoaderOptions options) {
    String most = Numbers.count(options.reading().workers(), "worker");
    return options.reading().autoWorkers() ? "up to " + most : most;
  }
}
