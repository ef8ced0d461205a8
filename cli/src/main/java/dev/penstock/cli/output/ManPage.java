package dev.penstock.cli.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The manual page of a command, with what its `--help` shows.
///
/// The language is that of man(7): <https://man7.org/linux/man-pages/man7/man.7.html>.
public final class ManPage {
  private final CommandSpec command;
  private final StringBuilder text = new StringBuilder();

  private ManPage(CommandSpec command) {
    this.command = command;
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
    line(".B " + escaped(command.qualifiedName()));
    line(subcommands.isEmpty() ? "[OPTION]..." : "[OPTION]... COMMAND");
    command.positionalParameters().stream()
        .filter(each -> !each.hidden())
        .forEach(each ->
            line(
                "[" + escaped(each.paramLabel()) + "]" + (each.arity().isVariable() ? "..." : "")));
    section("DESCRIPTION");
    for (String each : command.usageMessage().description()) {
      line(".PP");
      line(escaped(plain(each)));
    }
    section("OPTIONS");
    arguments(command.args().stream().filter(each -> each.group() == null).toList());
    List<ArgGroupSpec> groups = new ArrayList<>(command.argGroups());
    groups.sort(Comparator.comparingInt(ArgGroupSpec::order)); // first those without a heading
    for (ArgGroupSpec group : groups) {
      String heading = group.heading() == null ? "" : group.heading().formatted().strip();
      if (!heading.isEmpty()) {
        line(".SS " + escaped(heading.replaceFirst(":$", "")));
      }
      arguments(nested(group));
    }
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
    String all = String.join(" ", command.usageMessage().description());
    return escaped(plain(all).replaceFirst("\\.( .*)?$", ""));
  }

  private static List<ArgSpec> nested(ArgGroupSpec group) {
    List<ArgSpec> all = new ArrayList<>(group.args());
    group.subgroups().forEach(each -> all.addAll(nested(each)));
    return all;
  }

  private void arguments(List<ArgSpec> arguments) {
    for (ArgSpec each : arguments) {
      if (!each.hidden()) {
        item(label(each), plain(String.join(" ", each.description())));
      }
    }
  }

  private static String label(ArgSpec argument) {
    String value = escaped(argument.paramLabel().replaceFirst("^=", ""));
    if (!(argument instanceof OptionSpec option)) {
      return "\\fI" + value + "\\fR";
    }
    String names =
        Stream.of(option.names())
            .map(each -> "\\fB" + escaped(each) + "\\fR")
            .collect(Collectors.joining(", "));
    return option.arity().max() == 0 ? names : names + "=\\fI" + value + "\\fR";
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

  /// Returns a description without picocli's marks.
  private static String plain(String description) {
    return Ansi.OFF.string(description.replace("%n", " ").replace("%%", "%")).strip();
  }

  /// Keeps what man(7) takes for a command of its own: backslashes, and dots that begin a line.
  private static String escaped(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
