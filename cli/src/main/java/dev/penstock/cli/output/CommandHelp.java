package dev.penstock.cli.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// What is said of a command, for [HelpText] and [ManPage].
///
/// The first text of picocli's description is what the command does, the others are details; the
/// footer has the examples.
///
/// @param command the command, as picocli has it
record CommandHelp(CommandSpec command) {
  String summary() {
    return plain(command.usageMessage().description()[0]);
  }

  List<String> details() {
    return Stream.of(command.usageMessage().description()).skip(1).map(CommandHelp::plain).toList();
  }

  List<String> examples() {
    return List.of(command.usageMessage().footer());
  }

  /// Returns how the command is called, such as `penstock head [OPTIONS] LOCATION...`.
  String synopsis() {
    List<String> words = new ArrayList<>(List.of(command.qualifiedName()));
    command.options().stream()
        .filter(OptionSpec::required)
        .forEach(each -> words.add(each.longestName() + " " + each.paramLabel()));
    words.add("[OPTIONS]");
    command.positionalParameters().forEach(each -> words.add(value(each)));
    if (!subcommands().isEmpty()) {
      words.add("COMMAND");
    }
    return String.join(" ", words);
  }

  /// Returns the options by their subject, first those of the command alone.
  Map<String, List<ArgSpec>> options() {
    Map<String, List<ArgSpec>> subjects = new LinkedHashMap<>();
    List<ArgSpec> own = subjects.computeIfAbsent("Options", _ -> new ArrayList<>());
    command.args().stream().filter(each -> each.group() == null).forEach(own::add);
    command.argGroups().stream()
        .sorted(Comparator.comparingInt(ArgGroupSpec::order)) // first those without a heading
        .forEach(group ->
            (group.heading() == null
                    ? own
                    : subjects.computeIfAbsent(group.heading(), _ -> new ArrayList<>()))
                .addAll(group.args()));
    own.sort(Comparator.comparing(CommandHelp::isOfEachCommand));
    subjects.values().forEach(options -> options.removeIf(ArgSpec::hidden));
    return subjects;
  }

  private static boolean isOfEachCommand(ArgSpec argument) {
    return argument instanceof OptionSpec option && (option.usageHelp() || option.versionHelp());
  }

  /// Returns the commands below this one.
  List<CommandHelp> subcommands() {
    return command.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(each -> !each.usageMessage().hidden() && !each.helpCommand())
        .map(CommandHelp::new)
        .toList();
  }

  /// Returns the names of an option, or of what stands alone; empty for the latter.
  static String names(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? Stream.of(option.names())
            .map(name -> option.negatable() ? name.replaceFirst("^--", "--[no-]") : name)
            .collect(Collectors.joining(", "))
        : "";
  }

  /// Returns what stands for the value of an argument; empty for a flag.
  static String value(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? option.arity().max() == 0 ? "" : option.paramLabel()
        : argument.paramLabel() + (argument.arity().isVariable() ? "..." : "");
  }

  static String description(ArgSpec argument) {
    return plain(String.join(" ", argument.description()));
  }

  /// Returns a text without picocli's marks.
  private static String plain(String text) {
    return Ansi.OFF.string(text.replace("%n", " ").replace("%%", "%")).strip();
  }
}
