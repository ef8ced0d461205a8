package dev.penstock.cli;

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

  /// Returns the command line that is being run, as reports show it.
  String commandText() {
    return CommandText.of(spec);
  }
}
