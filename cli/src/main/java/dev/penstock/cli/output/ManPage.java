package dev.penstock.cli.output;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// The manual page of a command, with what its `--help` shows.
///
/// The language is that of man(7): <https://man7.org/linux/man-pages/man7/man.7.html>.
public final class ManPage {
  private final CommandSpec command;
  private final CommandHelp help;
  private final StringBuilder text = new StringBuilder();

  private ManPage(CommandSpec command) {
    this.command = command;
    this.help = new CommandHelp(command);
  }

  /// Returns the name of a command's page, such as `penstock-head.1`.
  public static String fileName(CommandSpec command) {
    return name(command) + ".1";
  }

  /// Returns the page of a command, as man(1) reads it.
  ///
  /// @param subcommands those of its commands that have pages
  public static String of(CommandSpec command, List<CommandSpec> subcommands) {
    ManPage page = new ManPage(command);
    page.write(subcommands);
    return page.text.toString();
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private void write(List<CommandSpec> subcommands) {
    String name = name(command);
    String version = command.version().length == 0 ? "" : command.version()[0];
    line(".TH %s 1 \"\" \"%s\"".formatted(name.toUpperCase(Locale.ROOT), version));
    line(".ad l"); // ragged right
    line(".nh"); // no hyphens in names
    section("NAME");
    line(escaped(name) + " \\- " + summary(command));
    section("SYNOPSIS");
    line(escaped(help.synopsis()));
    section("DESCRIPTION");
    line(escaped(help.summary()));
    for (String each : help.details()) {
      line(".PP");
      line(escaped(each));
    }
    section("EXAMPLES");
    line(".nf");
    help.examples().forEach(each -> line(escaped(each)));
    line(".fi");
    section("OPTIONS");
    help.options()
        .forEach((subject, arguments) -> {
          line(".SS " + escaped(subject));
          arguments.forEach(each -> item(label(each), CommandHelp.description(each)));
        });
    if (!subcommands.isEmpty()) {
      section("COMMANDS");
      for (CommandSpec each : subcommands) {
        item("\\fB" + escaped(name(each)) + "\\fR(1)", summary(each));
      }
    }
    section("EXIT STATUS");
    line(
        "0 done, 1 the data or the request is at fault, 2 wrong usage, 70 a bug, 130 interrupted.");
    section("SEE ALSO");
    String others = subcommands.isEmpty() ? "penstock" : "penstock-demo";
    line(".BR " + escaped(others) + " (1)");
  }

  private static String summary(CommandSpec command) {
    return escaped(new CommandHelp(command).summary().replaceFirst("\\.( .*)?$", ""));
  }

  private static String label(ArgSpec argument) {
    String value = "\\fI" + escaped(CommandHelp.value(argument)) + "\\fR";
    String names = CommandHelp.names(argument).replace(", ", "\\fR, \\fB");
    return names.isEmpty()
        ? value
        : "\\fB"
            + names.replace("-", "\\-")
            + "\\fR"
            + (CommandHelp.value(argument).isEmpty() ? "" : " " + value);
  }

  private void item(String label, String description) {
    line(".TP");
    line(label);
    line(escaped(description));
  }

  private void section(String title) {
    line(".SH " + title);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  /// Keeps what man(7) takes for a command of its own: backslashes, and dots that begin a line.
  private static String escaped(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
