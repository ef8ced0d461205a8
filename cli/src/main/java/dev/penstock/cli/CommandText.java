package dev.penstock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/// The command line as a report shows it: without values that may be secret.
final class CommandText {
  private static final Set<String> SECRET = Set.of("--storage", "--catalog");

  private CommandText() {}

  /// Returns the command line that is being run, by any command of it.
  static String of(CommandSpec spec) {
    return of(spec.root().commandLine().getParseResult().originalArgs());
  }

  static String of(List<String> args) {
    List<String> shown = new ArrayList<>(List.of("penstock"));
    String before = "";
    for (String arg : args) {
      shown.add(quoted(SECRET.contains(before) ? masked(arg) : inline(arg)));
      before = arg;
    }
    return String.join(" ", shown);
  }

  /// Hides the value of `--storage=KEY=VALUE`.
  private static String inline(String arg) {
    int equals = arg.indexOf('=');
    boolean isSecret = equals > 0 && SECRET.contains(arg.substring(0, equals));
    return isSecret ? arg.substring(0, equals + 1) + masked(arg.substring(equals + 1)) : arg;
  }

  private static String masked(String keyAndValue) {
    int equals = keyAndValue.indexOf('=');
    return equals < 0 ? "..." : keyAndValue.substring(0, equals + 1) + "...";
  }

  private static String quoted(String arg) {
    return arg.matches("[\\w./:=,@%+*?-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
  }
}
