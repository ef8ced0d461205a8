package dev.penstock.cli;

import dev.penstock.cli.output.HelpText;
import dev.penstock.cli.output.Terminal;
import dev.penstock.storage.Location;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The top-level command: holds the subcommands, does nothing itself.
@Command(
    name = "penstock",
    mixinStandardHelpOptions = true,
    description = {
      "Looks at table files, at plans to read them, and at how fast they load.",
      "Data goes to standard output, everything else to standard error. Exit status: 0 done,"
          + " 1 the data or the request is at fault, 2 wrong usage, 70 a bug.",
      "penstock COMMAND --help says more of a command."
    },
    footer = {"penstock demo", "penstock head data/flights"})
final class PenstockCommand implements Runnable {
  private static final String HELP = "help";

  /// The commands in the order of the help, each with what makes it.
  private static final Map<String, Function<Terminal, Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("demo", DemoCommand::new);
    COMMANDS.put("schema", SchemaCommand::new);
    COMMANDS.put("plan", PlanCommand::new);
    COMMANDS.put("head", HeadCommand::new);
    COMMANDS.put("cat", CatCommand::new);
    COMMANDS.put("load", LoadCommand::new);
    COMMANDS.put("rows", RowsCommand::new);
    COMMANDS.put("audit", AuditCommand::new);
    COMMANDS.put("bench", BenchCommand::new);
    COMMANDS.put("score", ScoreCommand::new);
    COMMANDS.put("cache", CacheCommand::new);
    COMMANDS.put("report", ReportCommand::new);
    COMMANDS.put("serve", ServeCommand::new);
    COMMANDS.put("order", OrderCommand::new);
    COMMANDS.put("pages", _ -> new PagesCommand());
    COMMANDS.put("train-cache", _ -> new TrainCommand());
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  /// Makes the command for some arguments.
  static CommandLine commandLine(Terminal terminal, List<String> args) {
    CommandLine commandLine = new CommandLine(new PenstockCommand());
    Collection<String> needed = needed(args);
    COMMANDS.forEach((name, maker) -> {
      if (needed.contains(name)) {
        Object made = maker.apply(terminal);
        CommandLine command = new CommandLine(made);
        if (made instanceof DataCommand data) {
          data.request.addTo(command.getCommandSpec());
        }
        commandLine.addSubcommand(command);
      }
    });
    commandLine.addSubcommand(new CommandLine.HelpCommand());
    commandLine.getCommandSpec().versionProvider(PenstockCommand::version);
    for (CommandLine command : commandLine.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec().versionProvider(PenstockCommand::version);
      if (spec.findOption("--progress") == null) { // so that scripts can pass it to every command
        spec.addOption(
            OptionSpec.builder("--progress").type(ProgressOption.Mode.class).hidden(true).build());
      }
    }
    commandLine.setExpandAtFiles(false); // a name that begins with @ is a name
    commandLine.registerConverter(Path.class, PenstockCommand::path);
    commandLine.setHelpSectionKeys(List.of(HELP));
    commandLine.setHelpSectionMap(
        Map.of(HELP, help -> HelpText.of(help.commandSpec(), terminal.helpColumns())));
    commandLine.setOut(terminal.printWriter());
    return commandLine;
  }

  private static Path path(String text) {
    try {
      return Location.local(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /// Returns the commands to make. Reading the options of all of them takes longer than most runs
  /// of one.
  private static Collection<String> needed(List<String> args) {
    String first = args.isEmpty() ? "" : args.getFirst();
    return switch (first) {
      case "--version", "-V" -> List.of();
      case "pages" -> COMMANDS.keySet();
      default -> COMMANDS.containsKey(first) ? List.of(first) : COMMANDS.keySet();
    };
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: expected one of " + names(spec) + ".");
  }

  /// Returns the names of the commands without `help`.
  static List<String> names(CommandSpec spec) {
    return visible(spec).map(CommandSpec::name).toList();
  }

  /// Returns the commands that the help lists, without `help`.
  static Stream<CommandSpec> visible(CommandSpec spec) {
    return spec.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(each -> !each.usageMessage().hidden() && !each.name().equals(HELP));
  }

  /// Reads the version that the build wrote into the jar.
  private static String[] version() {
    String version = PenstockCommand.class.getPackage().getImplementationVersion();
    return new String[] {"penstock " + (version == null ? "(not from a jar)" : version)};
  }
}
