package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The top-level command: holds the subcommands, does nothing itself.
@Command(
    name = "penstock",
    mixinStandardHelpOptions = true,
    versionProvider = PenstockCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Looks at table files, at plans to read them, and at how fast they load.",
    footer = {
      "",
      "Data goes to standard output, everything else to standard error. Exit status: 0 done,"
          + " 1 the data or the request is at fault, 2 wrong usage, 70 a bug.",
      "",
      "Start with: penstock demo"
    })
final class PenstockCommand implements Runnable {
  /// The narrowest help that picocli supports, and the widest that is easy to read.
  private static final int HELP_MIN = 55;

  private static final int HELP_MAX = 100;
  private static final int HELP_OPTIONS = 24;

  @Spec private CommandSpec spec = CommandSpec.create();

  static CommandLine commandLine(Terminal terminal) {
    CommandLine commandLine =
        new CommandLine(new PenstockCommand())
            .addSubcommand(new DemoCommand(terminal))
            .addSubcommand(new SchemaCommand(terminal))
            .addSubcommand(new PlanCommand(terminal))
            .addSubcommand(new HeadCommand(terminal))
            .addSubcommand(new CatCommand(terminal))
            .addSubcommand(new LoadCommand(terminal))
            .addSubcommand(new BenchCommand(terminal))
            .addSubcommand(new ServeCommand(terminal))
            .addSubcommand(new OrderCommand(terminal));
    commandLine.addSubcommand(new CommandLine.HelpCommand());
    for (CommandLine command : commandLine.getSubcommands().values()) {
      command.getCommandSpec().versionProvider(new Version());
      acceptProgress(command);
    }
    commandLine.setUsageHelpWidth(Math.clamp(terminal.helpColumns(), HELP_MIN, HELP_MAX));
    commandLine.setUsageHelpLongOptionsMaxWidth(HELP_OPTIONS);
    commandLine.setOut(terminal.printWriter());
    return commandLine;
  }

  /// Lets scripts pass `--progress none` to every command, even to those that never show progress.
  private static void acceptProgress(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.findOption("--progress") == null) {
      spec.addOption(
          OptionSpec.builder("--progress").type(ProgressOption.Mode.class).hidden(true).build());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: expected one of " + names(spec) + ".");
  }

  /// Returns the names of the commands without `help`.
  static List<String> names(CommandSpec spec) {
    return spec.subcommands().keySet().stream().filter(name -> !name.equals("help")).toList();
  }

  /// Reads the version that the build wrote into the jar.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = PenstockCommand.class.getPackage().getImplementationVersion();
      return new String[] {"penstock " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
