package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// A command that reads what the options of a [RequestOptions] name.
abstract class DataCommand implements Callable<Integer> {
  final Terminal terminal;
  final RequestOptions request;
  @Spec private CommandSpec spec = CommandSpec.create();

  DataCommand(Terminal terminal, RequestOptions request) {
    this.terminal = terminal;
    this.request = request;
  }

  /// Says what the user should know of how the files are read. Reads their footers.
  void warn(StructuredDataset dataset) {
    dataset.warnings().forEach(warning -> terminal.say(CommandWords.warning(warning)));
  }

  /// Returns the command line that is being run, as reports show it.
  String commandText() {
    return CommandText.of(spec);
  }
}
