package dev.penstock.cli;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.request.Option;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.internal.request.OptionWords;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the library advises, in the words of the command line.
final class CommandWords {
  /// The property with the folder whose jars the launch script adds to the command.
  private static final String ADDED = "penstock.ext";

  /// The modules that a release has beside the command, for they need Hadoop.
  private static final Set<String> BESIDE = Set.of("orc", "iceberg-hive");

  /// The modules of models' frameworks, which nobody but `score` needs.
  private static final Set<String> OF_MODELS = Set.of("onnx", "xgboost", "djl");

  /// A word that a shell takes as it is.
  private static final Pattern NO_QUOTES = Pattern.compile("[^ ;|&<>()$]*");

  private CommandWords() {}

  /// Returns a warning of a loader as a line of its own.
  static String warning(Advice warning) {
    return "Warning: " + of(warning);
  }

  /// Returns the message of an error.
  static String of(Throwable met) {
    return of(Advice.of(met));
  }

  /// Returns a message with options in place of calls.
  static String of(Advice advice) {
    String text = advice.in(CommandWords::word);
    return text.contains("'~/") && !text.contains(" ~ ")
        ? text + " A leading ~ is the home folder to a shell, but neither in quotes nor behind '='."
        : text;
  }

  private static @Nullable String word(Remedy part) {
    return switch (part) {
      case Remedy.Text text -> text.java();
      case Remedy.Module module -> addition(module);
      case Remedy.Option option when option.name().equals("where") && !option.value().isEmpty() ->
          "'" + option.value() + "'";
      case Remedy.Option option when option.name().equals("state") -> "--save-state";
      case Remedy.Option option when option.name().equals("pass") -> "--pass";
      case Remedy.Option option when option.name().equals("input") ->
          "--input '" + option.value() + "'";
      case Remedy.Option option when option.name().equals("onError") ->
          "--on-error " + option.value();
      case Remedy.Option option ->
          OptionTable.named(option.name())
              .map(Option::words)
              .filter(words -> !words.command().isEmpty())
              .map(words -> word(words, option))
              .orElse(null);
    };
  }

  /// Returns the name of an option; Java's where the command has none.
  static String name(Option<?, ?> option) {
    String name = option.words().command();
    return name.isEmpty() ? option.name() : name;
  }

  private static String word(OptionWords words, Remedy.Option option) {
    boolean isFlag = words.label().isEmpty();
    if (isFlag || (option.value().isEmpty() && !option.java().endsWith(")"))) {
      return words.command();
    }
    String value =
        option.value().isEmpty() ? words.label() : option.value().replaceFirst("=VALUE$", "");
    return words.command() + " " + (NO_QUOTES.matcher(value).matches() ? value : "'" + value + "'");
  }

  /// Returns what to do without a build: the command has everything but what needs Hadoop, and the
  /// frameworks of models.
  private static @Nullable String addition(Remedy.Module module) {
    String folder = System.getProperty(ADDED, "");
    if (folder.isEmpty()) {
      return null;
    }
    if (OF_MODELS.contains(module.name())) {
      return "Put penstock-"
          + module.name()
          + "-VERSION.jar and its libraries into "
          + folder
          + ": docs/how-to/install.md says how.";
    }
    return BESIDE.contains(module.name())
        ? "Put penstock-hadoop-VERSION.jar, which is beside the release, into " + folder + "."
        : null;
  }
}
