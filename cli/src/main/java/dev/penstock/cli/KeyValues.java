package dev.penstock.cli;

import dev.penstock.storage.Location;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Options written `KEY=VALUE`, on the command line or in files, a line each.
///
/// Values may be secrets, and lists of processes, shells and recordings of the JVM keep the command
/// line. So `@env:NAME` stands for the value of an environment variable. Only the command takes it:
/// `serve` hands on the options of its clients as they are, so they cannot ask for its environment.
///
/// No error shows a value, or what may be one by mistake.
final class KeyValues {
  private static final String VARIABLE = "@env:";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private final String option;
  private final Function<String, @Nullable String> environment;

  /// Makes the reader of an option.
  ///
  /// @param option its name, such as `--storage`; with `-file` behind it that of its files
  /// @param environment gives the value of a variable, or null
  KeyValues(String option, Function<String, @Nullable String> environment) {
    this.option = option;
    this.environment = environment;
  }

  /// Returns the values by key. Those of the command line replace those of files, and later ones
  /// replace earlier ones.
  ///
  /// @throws UsageException if one is not `KEY=VALUE`, a file cannot be read or a variable is not
  ///   set
  Map<String, String> read(List<Path> files, List<String> given) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Path file : files) {
      int number = 0;
      for (String line : SecretFile.text(option + "-file", file).lines().toList()) {
        number++;
        if (!line.isBlank() && !line.strip().startsWith("#")) {
          add(values, line, file, number);
        }
      }
    }
    for (String each : given) {
      String key = key(option, each);
      values.put(key, meant(key, value(each)));
    }
    return values;
  }

  /// Adds the option of a line. A secret alone on its line may end with `=` itself, so a line
  /// without a value is refused.
  private void add(Map<String, String> values, String line, Path file, int number) {
    int at = Math.max(0, line.indexOf('='));
    String key = line.substring(0, at).strip();
    String value = line.substring(Math.min(at + 1, line.length())).strip();
    if (!KEY.matcher(key).matches() || value.chars().allMatch(c -> c == '=')) {
      throw new UsageException(
          ("Cannot use '%s' of %s-file: line %s is not KEY=VALUE. Write one option a line; lines"
                  + " that begin with # are left out.")
              .formatted(Location.of(file), option, number));
    }
    values.put(key, meant(key, value));
  }

  /// Returns the value, or that of the variable which it names. The name is not shown: the shell
  /// may have put a secret in its place.
  private String meant(String key, String value) {
    if (!value.startsWith(VARIABLE)) {
      return value;
    }
    String meant = environment.apply(value.substring(VARIABLE.length()));
    if (meant == null || meant.isEmpty()) {
      throw new UsageException(
          ("Cannot use %s %s: the environment variable that it names is %s. Export it, and write"
                  + " @env: and its name, without a $.")
              .formatted(option, key, meant == null ? "not set" : "empty"));
    }
    return meant;
  }

  /// Returns the text before the `=`. A text without `=` is not shown, because it may be a secret.
  static String key(String name, String option) {
    int at = option.indexOf('=');
    if (at < 1) {
      throw new UsageException(
          "Cannot use " + name + ": expected KEY=VALUE, got a text without '='.");
    }
    return option.substring(0, at);
  }

  static String value(String option) {
    return option.substring(option.indexOf('=') + 1);
  }
}
