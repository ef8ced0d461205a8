package dev.penstock.cli;

import dev.penstock.options.LoaderOptions;
import picocli.CommandLine.ArgGroup;

/// [DeliverOptions] and [WorkersOption] together, as all commands but `bench` take them.
final class DeliverGroup {
  @ArgGroup(validate = false)
  private DeliverOptions options = new DeliverOptions();

  @ArgGroup(validate = false)
  private WorkersOption workers = new WorkersOption();

  DeliverOptions options() {
    return options;
  }

  /// Returns the loader's options.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions loaderOptions() {
    return workers.apply(options.loaderOptions());
  }
}
