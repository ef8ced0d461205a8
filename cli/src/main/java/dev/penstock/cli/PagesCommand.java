package dev.penstock.cli;

import dev.penstock.cli.output.ManPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `penstock pages`: what packages install beside the command.
///
/// The folder gets `man/man1` with a manual page for each command, `completions/penstock.bash`, and
/// `completions/_penstock` for zsh.
@Command(
    name = "pages",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "Writes the manual pages and the shell completion into a folder.",
    footer = {"penstock pages /usr/share", "penstock pages target/pages"})
final class PagesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FOLDER", description = "Where to write; made if it is not there.")
  private Path folder = Path.of("");

  @Override
  public Integer call() throws IOException {
    Path manual = Files.createDirectories(folder.resolve("man/man1"));
    Path completions = Files.createDirectories(folder.resolve("completions"));
    CommandSpec whole = spec.root();
    Stream<CommandSpec> commands = Stream.concat(Stream.of(whole), PenstockCommand.visible(whole));
    for (CommandSpec each : commands.toList()) {
      Files.writeString(
          manual.resolve(ManPage.fileName(each)),
          ManPage.of(each, PenstockCommand.visible(each).toList()));
    }
    String script = AutoComplete.bash(whole.name(), whole.commandLine());
    Files.writeString(completions.resolve("penstock.bash"), script);
    // zsh reads the file when the first word is completed: it defines the function and calls it. A
    // builtin of bash is missing there.
    Files.writeString(
        completions.resolve("_penstock"),
        "#compdef penstock\n(( $+functions[compopt] )) || compopt() { : }\n"
            + script
            + "_bash_complete -o default -F _complete_penstock\n");
    return Main.DONE;
  }
}
