package dev.penstock.cli;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rewrites the advice in the library's errors: options instead of calls, for use on the command
/// line.
final class Advice {
  /// Calls that the messages name, and the options that do the same.
  private static final Map<String, String> CALLS =
      Map.ofEntries(
          Map.entry("format()", "--format NAME"),
          Map.entry("cast()", "--cast COLUMN=TYPE"),
          Map.entry("missingColumns()", "--missing-columns nulls"),
          Map.entry("memory()", "--memory SIZE"),
          Map.entry("prefetchFactor()", "--prefetch-factor"),
          Map.entry("timeout()", "--timeout SECONDS"),
          Map.entry("NullPolicy.nan()", "--nulls nan"),
          Map.entry("NullPolicy.mask()", "--nulls mask"),
          Map.entry("NullPolicy.error()", "--nulls error"),
          Map.entry("NullPolicy.fill()", "--nulls fill:VALUE"),
          Map.entry("LoaderState.toJson()", "--save-state"),
          Map.entry("isNull()", "'is null'"),
          Map.entry("isNaN()", "'is nan'"));

  private static final Pattern CALL =
      Pattern.compile("(?<![\\w.])(?:[A-Z]\\w+\\.)?[a-z]\\w+\\(\\)");

  private static final Pattern CACHE = Pattern.compile("cache\\(folder, \"([^\"]*)\"\\)");

  /// Words of the messages after which an option must be named.
  private static final List<Map.Entry<String, String>> WORDS =
      List.of(
          Map.entry("format option '", "--format-option KEY=VALUE"),
          Map.entry("storage option '", "--storage KEY=VALUE"),
          Map.entry("read other columns", "--columns a,b"),
          Map.entry("make batches smaller", "--batch-size N"));

  /// The property with the folder whose jars the launch script adds to the command.
  private static final String ADDED = "penstock.ext";

  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "Add the dependency '[^']*'(, in the version of penstock-core|, which brings it)\\.");

  /// Advice for which the command has no option.
  private static final List<String> NO_OPTION =
      List.of(", or OutputFormat.MAP", ", or take the nearest value with castLossy()");

  private Advice() {}

  /// Returns a warning of a loader as a line of its own.
  static String warning(String warning) {
    return "Warning: " + onCommandLine(warning);
  }

  /// Returns a message with options in place of calls.
  static String onCommandLine(String message) {
    String possible = message;
    for (String advice : NO_OPTION) {
      possible = possible.replace(advice, "");
    }
    Matcher calls = CALL.matcher(possible);
    String text =
        calls.replaceAll(
            call -> Matcher.quoteReplacement(CALLS.getOrDefault(call.group(), call.group())));
    text = CACHE.matcher(text).replaceAll("--cache FOLDER:$1");
    text = text.replace("sharedCache(folder, size)", "--cache-shared");
    text = text.replace("Shuffle.window(rows)", "--shuffle window:ROWS");
    text = DEPENDENCY.matcher(text).replaceAll(addition(System.getProperty(ADDED, "")));
    List<String> options =
        WORDS.stream()
            .filter(word -> message.contains(word.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    if (text.contains("'~/") && !text.contains(" ~ ")) {
      text += " A leading ~ is the home folder to a shell, but neither in quotes nor behind '='.";
    }
    return options.isEmpty()
        ? text
        : text + " On the command line: " + String.join(" or ", options) + ".";
  }

  /// Returns what to do without a build: the command has everything but what needs Hadoop.
  private static String addition(String folder) {
    return folder.isEmpty()
        ? "$0"
        : Matcher.quoteReplacement(
            "Put penstock-hadoop-VERSION.jar, which is beside the release, into " + folder + ".");
  }
}
