package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import java.util.concurrent.Callable;

/// A command that reads what the options of a [RequestOptions] name.
abstract class DataCommand implements Callable<Integer> {
  final Terminal terminal;
  final RequestOptions request;

  DataCommand(Terminal terminal, RequestOptions request) {
    this.terminal = terminal;
    this.request = request;
  }
}
