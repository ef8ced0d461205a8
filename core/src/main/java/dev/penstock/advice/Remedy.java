package dev.penstock.advice;

import java.io.Serializable;
import java.util.Locale;

/// A part of an [Advice].
public sealed interface Remedy extends Serializable {
  /// To read files as those of a format.
  Option FORMAT = of("format", "NAME", "format()");

  /// To read a column as another type.
  Option CAST = of("cast", "COLUMN=TYPE", "cast()");

  /// To read columns that some files lack: as nulls there.
  Option MISSING_COLUMNS = of("missingColumns", "nulls", "missingColumns()");

  /// What a saved state is.
  Option STATE = of("state", "", "LoaderState.toJson()");

  /// To shuffle the rows of a window.
  Option SHUFFLE_WINDOW = of("shuffle", "window:ROWS", "Shuffle.window(rows)");

  /// Where files are that a table's metadata names elsewhere.
  Option MAP_LOCATION =
      of(
          "mapLocation",
          "FROM=TO",
          "mapLocation in Java, --map-location, or map_location in Python");

  /// {@return the part as Java writes it}
  String java();

  /// A text that is the same everywhere.
  ///
  /// @param java the text
  record Text(String java) implements Remedy {}

  /// An option to set or to leave out.
  ///
  /// @param name its name in Java, as in the table of docs/reference/options.md
  /// @param value the value to give it, as the command takes it: `mask`, `window:ROWS`,
  ///   `COLUMN=TYPE`, `true`. Words in capitals stand for what the user chooses. Empty for the
  ///   option as such
  /// @param java how Java writes the option and the value: `NullPolicy.mask()`
  /// @param before a text before it, left out with the option where that is not there
  /// @param after a text behind it, left out likewise
  record Option(String name, String value, String java, String before, String after)
      implements Remedy {
    /// {@return the option with texts that are left out where the option is not there}
    ///
    /// @param textBefore the text before it
    /// @param textAfter the text behind it
    public Option within(String textBefore, String textAfter) {
      return new Option(name, value, java, textBefore, textAfter);
    }
  }

  /// A module to install.
  ///
  /// @param name the end of its artifact's name: `orc` of `penstock-orc`
  /// @param java the sentence of it in Java
  record Module(String name, String java) implements Remedy {}

  /// {@return a module to install, which is found by [java.util.ServiceLoader]}
  ///
  /// @param name the end of its artifact's name: `orc` of `penstock-orc`
  static Module module(String name) {
    return module(
        name,
        "in the version of penstock-core. If your fat jar has it already, merge META-INF/services");
  }

  /// {@return a module to install}
  ///
  /// @param name the end of its artifact's name: `orc` of `penstock-orc`
  /// @param more the end of the advice in Java
  static Module module(String name, String more) {
    return new Module(
        name, "Add the dependency 'dev.penstock:penstock-" + name + "', " + more + ".");
  }

  /// {@return an option and a value}
  ///
  /// @param option the option's name in Java
  /// @param value the value, as the command takes it
  /// @param java how Java writes both
  static Option of(String option, String value, String java) {
    return new Option(option, value, java, "", "");
  }

  /// {@return an option as such, which Java writes as a call: `memory()`}
  ///
  /// @param option the option's name in Java
  static Option call(String option) {
    return of(option, "", option + "()");
  }

  /// {@return an option and a value, which Java writes as a call: `dropLast(true)`}
  ///
  /// @param option the option's name in Java
  /// @param value the value
  static Option call(String option, String value) {
    return of(option, value, option + "(" + value + ")");
  }

  /// {@return an option as such, which Java writes as its name}
  ///
  /// @param option the option's name in Java
  static Option name(String option) {
    return of(option, "", option);
  }

  /// {@return an option of a format, see [dev.penstock.StructuredDataset#formatOption]}
  ///
  /// @param key its key
  static Option formatOption(String key) {
    return of("formatOptions", key + "=VALUE", "format option '" + key + "'");
  }

  /// {@return an option of a format and its value: "format option 'header' = 'true'"}
  ///
  /// @param key its key
  /// @param value its value
  static Option formatOption(String key, String value) {
    return formatOption(key, "=", value);
  }

  /// {@return an option of a format and its value: "format option 'header' to 'true'"}
  ///
  /// @param key its key
  /// @param sign what stands between: `=`, or `to` behind "set"
  /// @param value its value
  static Option formatOption(String key, String sign, String value) {
    String java = "format option '" + key + "' " + sign + " '" + value + "'";
    return of("formatOptions", key + "=" + value, java);
  }

  /// {@return an option of a store, see [dev.penstock.StructuredDataset#storageOption]}
  ///
  /// @param key its key
  static Option storageOption(String key) {
    return of("storage", key + "=VALUE", "storage option '" + key + "'");
  }

  /// {@return an option of a catalog of Iceberg}
  ///
  /// @param key its key
  static Option catalogOption(String key) {
    return of("catalog", key + "=VALUE", "catalog option '" + key + "'");
  }

  /// {@return a policy for nulls, written as `NullPolicy.mask()` in Java}
  ///
  /// @param policy its name: `nan`, `mask`, `error` or `fill`
  static Option nulls(String policy) {
    return of(
        "nulls", policy.equals("fill") ? "fill:VALUE" : policy, "NullPolicy." + policy + "()");
  }

  /// {@return a form of the batches, written as `OutputFormat.MAP` in Java}
  ///
  /// @param format the constant's name
  static Option output(String format) {
    return of("output", format.toLowerCase(Locale.ROOT), "OutputFormat." + format);
  }
}
