package dev.penstock.blackbox.cases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What came of a case: under each name a text, of which a hash is recorded, and all errors.
final class RecordedFacts {
  private static final String ERROR = " ! ";

  private final List<String> folders;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final List<String> errors = new ArrayList<>();

  /// Begins with nothing.
  ///
  /// @param folders those that are not named in what is recorded
  RecordedFacts(List<String> folders) {
    this.folders = folders;
  }

  /// Notes a text, or the error that came instead. Names that are empty of text are left out.
  void note(String name, Supplier<String> fact) {
    String text;
    try {
      text = fact.get();
    } catch (RuntimeException e) {
      text = error(e);
    }
    if (!text.isEmpty()) {
      texts.put(name, portable(text));
    }
  }

  /// Notes an error and returns its number.
  private String error(RuntimeException error) {
    StringBuilder all = new StringBuilder(name(error) + ": " + error.getMessage());
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
      all.append(" <- ").append(name(cause)); // whose own words may be a library's
    }
    String text = portable(all.toString()).replace("\n", "\\n").replace("\r", "\\r");
    if (!errors.contains(text)) {
      errors.add(text);
    }
    return "!" + (1 + errors.indexOf(text));
  }

  /// Returns the name of an error's class, or of the first class above it that users catch.
  private static String name(Throwable error) {
    Class<?> type = error.getClass();
    while (type.getName().contains(".internal.") || type.getName().contains(".advice.")) {
      type = type.getSuperclass();
    }
    return type.getSimpleName();
  }

  private String portable(String text) {
    String portable = text;
    for (int i = 0; i < folders.size(); i++) {
      portable = portable.replace(folders.get(i), i == 0 ? "FILES" : "CACHE");
    }
    return portable;
  }

  /// Returns the line that is recorded: hashes, or short texts themselves, and the errors.
  String line() {
    return texts.entrySet().stream()
            .map(fact -> fact.getKey() + "=" + brief(fact.getValue()))
            .collect(Collectors.joining(" "))
        + errors.stream().map(error -> ERROR + error).collect(Collectors.joining());
  }

  private static String brief(String text) {
    return text.matches("\\S{1,8}") ? text : BatchDigest.hash(text);
  }

  /// Says what differs between the line that was recorded and what came.
  String differences(String recorded) {
    StringBuilder all = new StringBuilder();
    Map<String, String> expected = parsed(recorded);
    Map<String, String> found = parsed(line());
    expected.forEach((name, value) -> {
      if (!value.equals(found.get(name))) {
        all.append(
            "  " + name + ": recorded " + value + ", found " + found.get(name) + shown(name));
      }
    });
    found.forEach((name, value) -> {
      if (!expected.containsKey(name)) {
        all.append("  " + name + ": recorded nothing, found " + value + shown(name));
      }
    });
    return all.toString();
  }

  private String shown(String name) {
    String text = texts.getOrDefault(name, "");
    return (text.length() <= 8
            ? ""
            : ":\n" + text.substring(0, Math.min(600, text.length())).indent(6).stripTrailing())
        + "\n";
  }

  private static Map<String, String> parsed(String line) {
    Map<String, String> parsed = new LinkedHashMap<>();
    String[] parts = line.split(ERROR, -1);
    for (String fact : parts[0].split(" ", -1)) {
      parsed.put(fact.split("=", -1)[0], fact.substring(fact.indexOf('=') + 1));
    }
    for (int i = 1; i < parts.length; i++) {
      parsed.put("error " + i, parts[i]);
    }
    return parsed;
  }
}
