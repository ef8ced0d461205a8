package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.measure.ShufflePass;
import dev.penstock.cli.output.Terminal;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Whether to measure how well rows are shuffled.
final class ShuffleOptions {
  static final String HEADING = "How to measure the shuffle";

  @Option(
      names = "--shuffle-report",
      description =
          "Report how well rows are shuffled: the rank correlation between file order and delivery"
              + " order. Takes a pass of its own before each epoch.")
  private boolean on;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description =
          "Report the label entropy in a batch, too: of this column of at most 1,000 different"
              + " strings, integers or booleans, which need not be among the columns to read.")
  private @Nullable String label;

  /// Checks the options.
  ///
  /// @throws UsageException if they are invalid for any data
  void check(StateOptions states) {
    if (label != null && !on) {
      throw new UsageException("Cannot use --label without --shuffle-report: add it.");
    }
    if (on && !states.isOfWholeEpochs()) {
      throw new UsageException(
          "Cannot use --shuffle-report with --resume or --stop-after-batches: it is of whole"
              + " epochs.");
    }
  }

  /// Returns the pass that measures the epochs of a loader; null if not requested.
  ///
  /// @param split cuts a dataset as that of the loader
  /// @throws IllegalArgumentException if the column of labels does not exist or has an unsuitable
  ///   type
  @Nullable ShufflePass pass(
      Terminal terminal, DataLoader loader, UnaryOperator<StructuredDataset> split) {
    return on
        ? terminal.closeOnInterrupt(new ShufflePass(loader, split, Optional.ofNullable(label)))
        : null;
  }
}
