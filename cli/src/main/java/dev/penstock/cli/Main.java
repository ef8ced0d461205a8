package dev.penstock.cli;

import dev.penstock.advice.Advice;
import dev.penstock.cli.output.LogStream;
import dev.penstock.cli.output.OutputException;
import dev.penstock.cli.output.Terminal;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.score.ModelException;
import dev.penstock.score.ScoresDifferException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jline.utils.Levenshtein;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The entry of the `penstock` command.
///
/// Data goes to standard output, everything else to standard error. The exit status is 0 when done,
/// 1 if the data or the request is faulty (one sentence, no stack trace), 2 for wrong usage, 70 for
/// a bug (with its stack trace) and 130 when interrupted.
public final class Main {
  private static final String TUNNEL_SCHEMES = "jdk.http.auth.tunneling.disabledSchemes";

  static final int DONE = 0;
  static final int FAULT = 1;
  static final int USAGE = 2;
  static final int BUG = 70;
  static final int INTERRUPTED = 130;

  private Main() {}

  /// Runs the command and ends the process with its exit status.
  ///
  /// @param args the arguments after `penstock`
  public static void main(String[] args) {
    if (System.getProperty(TUNNEL_SCHEMES) == null) {
      System.setProperty(TUNNEL_SCHEMES, ""); // lets storage option 'proxy-password' work for https
    }
    Terminal terminal = Terminal.ofProcess();
    System.setErr(new LogStream(System.err)); // names in what libraries log
    // Ctrl-C: the JVM runs this hook and then exits with 130 by itself.
    Runtime.getRuntime().addShutdownHook(new Thread(terminal::interrupt, "penstock-interrupt"));
    int status = run(args, terminal);
    terminal.end();
    System.exit(status);
  }

  /// Runs the command within this process, as tests do.
  ///
  /// @param args the arguments after `penstock`
  /// @param out takes the data; flushed but not closed
  /// @param err takes everything else
  /// @return the exit status
  public static int run(String[] args, OutputStream out, PrintStream err) {
    return run(args, new Terminal(out, err, 0, 0));
  }

  static int run(String[] args, Terminal terminal) {
    CommandLine commandLine = PenstockCommand.commandLine(terminal, List.of(args));
    commandLine.setParameterExceptionHandler((fault, _) -> wrongUsage(fault, terminal));
    commandLine.setExecutionExceptionHandler(
        (fault, command, _) -> failed(fault, command, terminal));
    try {
      return commandLine.execute(args);
    } catch (OutOfMemoryError error) {
      return outOfMemory(error, terminal);
    }
  }

  /// @param fault says where memory ran out, if it is not the JVM's own error
  private static int outOfMemory(Throwable fault, Terminal terminal) {
    terminal.say(
        "Out of memory ("
            + fault.getMessage()
            + "): use a smaller --batch-size or fewer --workers.");
    return FAULT;
  }

  private static int wrongUsage(ParameterException fault, Terminal terminal) {
    terminal.say(sentence(usageMessage(fault)) + suggestion(fault));
    terminal.say("Try '" + fault.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
    return USAGE;
  }

  private static String usageMessage(ParameterException fault) {
    CommandSpec command = fault.getCommandLine().getCommandSpec();
    if (fault instanceof UnmatchedArgumentException unmatched
        && command.parent() == null
        && !unmatched.isUnknownOption()) {
      return "Cannot run '"
          + unmatched.getUnmatched().getFirst()
          + "': no such command. Commands are: "
          + PenstockCommand.names(command)
          + ".";
    }
    return String.valueOf(fault.getMessage());
  }

  /// Returns the option or command that was probably meant, if one is similar.
  private static String suggestion(ParameterException fault) {
    if (!(fault instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    CommandSpec command = fault.getCommandLine().getCommandSpec();
    String given = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
    Stream<String> names =
        unmatched.isUnknownOption()
            ? command.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
            : PenstockCommand.names(command).stream();
    int most = Math.max(1, given.length() / 3);
    return names
        .filter(name -> Levenshtein.distance(given, name) <= most)
        .min(Comparator.comparingInt(name -> Levenshtein.distance(given, name)))
        .map(name -> " Did you mean '" + name + "'?")
        .orElse("");
  }

  private static int failed(Exception fault, CommandLine command, Terminal terminal) {
    if (terminal.isInterrupted()) {
      return INTERRUPTED;
    }
    if (isOutOfMemory(fault)) {
      return outOfMemory(fault, terminal);
    }
    if (fault instanceof UsageException) {
      return wrongUsage(new ParameterException(command, fault.getMessage()), terminal);
    }
    if (fault instanceof OutputException output && output.isReaderGone()) {
      return DONE;
    }
    String sentence =
        switch (fault) {
          case OutputException _ -> "Cannot write the output: " + fault.getMessage() + ".";
          case UncheckedIOException world -> sentenceOf(world);
          case MemoryLimitException _, IllegalArgumentException _, ModelException _ ->
              CommandWords.of(fault);
          case IllegalCallerException _, ScoresDifferException _ ->
              String.valueOf(fault.getMessage());
          default -> "";
        };
    if (sentence.isEmpty()) {
      terminal.say("This is a bug in penstock; the report it needs is the text below.");
      terminal.trace(fault);
      return BUG;
    }
    terminal.say(sentence);
    return FAULT;
  }

  private static String sentenceOf(UncheckedIOException fault) {
    String told = String.valueOf(fault.getMessage());
    IOException cause = fault.getCause();
    String message =
        cause != null && cause.getMessage() != null && told.equals(cause.toString())
            ? cause.getMessage()
            : told;
    return CommandWords.of(Advice.repeating(message, fault));
  }

  private static boolean isOutOfMemory(Throwable fault) {
    Throwable each = fault;
    while (each != null && !(each instanceof OutOfMemoryError)) {
      each = each.getCause();
    }
    return each != null;
  }

  private static String sentence(String text) {
    return text.endsWith(".") || text.endsWith("]") ? text : text + ".";
  }
}
