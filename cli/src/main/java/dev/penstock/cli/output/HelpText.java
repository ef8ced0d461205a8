package dev.penstock.cli.output;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// What `--help` shows: what the command does, examples, how it is called, and its options by
/// subject.
///
/// picocli's own help breaks lines behind hyphens and colons, and takes at least 55 columns.
public final class HelpText {
  /// The most columns that are easy to read.
  private static final int WIDEST = 100;

  /// From how many columns on descriptions stand beside the options.
  private static final int BESIDE = 72;

  private final int columns;
  private final StringBuilder text = new StringBuilder();

  private HelpText(int columns) {
    this.columns = Math.min(columns, WIDEST);
  }

  /// Returns the help of a command for a terminal of `columns` characters, each line with a line
  /// end.
  public static String of(CommandSpec command, int columns) {
    HelpText help = new HelpText(columns);
    help.write(new CommandHelp(command));
    return help.text.toString();
  }

  private void write(CommandHelp help) {
    line(help.summary());
    line("");
    help.examples().forEach(example -> line("  " + example));
    line((help.examples().isEmpty() ? "" : "\n") + "Usage: " + help.synopsis());
    help.details().forEach(each -> line("\n" + each));
    for (Map.Entry<String, List<ArgSpec>> subject : help.options().entrySet()) {
      line("\n" + subject.getKey() + ":");
      for (ArgSpec each : subject.getValue()) {
        String label = (CommandHelp.names(each) + " " + CommandHelp.value(each)).strip();
        item(label, columns < BESIDE ? 6 : 26, CommandHelp.description(each));
      }
    }
    if (!help.subcommands().isEmpty()) {
      line("\nCommands:");
      help.subcommands().forEach(each -> item(each.command().name(), 10, each.summary()));
    }
  }

  private void item(String label, int indent, String description) {
    String margin = " ".repeat(indent);
    String described =
        margin + TextWidth.folded(description, columns - indent).replace("\n", "\n" + margin);
    String start = "  " + label;
    if (start.length() + 2 <= indent) {
      line(start + described.substring(start.length()));
    } else {
      line(start);
      line(described);
    }
  }

  private void line(String line) {
    text.append(TextWidth.folded(line, columns)).append('\n');
  }
}
