package dev.penstock.cli;

import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Terminal;
import dev.penstock.split.Rank;
import picocli.CommandLine.Option;

/// Whether progress is shown.
final class ProgressOption {
  /// The choices.
  enum Mode {
    /// A bar on a terminal, a plain line every few seconds elsewhere.
    auto,
    /// Nothing.
    none
  }

  @Option(
      names = "--progress",
      paramLabel = "auto|none",
      description =
          "auto: a bar on a terminal, a plain line every few seconds elsewhere; on standard error. Default: ${DEFAULT-VALUE}.")
  private Mode mode = Mode.auto;

  /// Starts to show progress. Only the first rank of a run shows it.
  Progress start(Terminal terminal, Rank rank) {
    return new Progress(terminal, mode == Mode.auto && rank.index() == 0);
  }
}
