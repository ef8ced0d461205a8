package dev.penstock.internal.table;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A location with wildcards: `*` and `?` within a name, `**` across any number of folders, also
/// none, `[ab]`, `{a,b}`.
///
/// @param text the location
/// @param folder the folder to list: the part before the first name with a wildcard; never blank
/// @param pattern must match the whole text of a location
record Glob(String text, String folder, Pattern pattern) {
  private static final String WILDCARDS = "*?[{";

  static boolean hasWildcard(String location) {
    return location.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
  }

  static Glob parse(String location) {
    int first = 0;
    while (WILDCARDS.indexOf(location.charAt(first)) < 0) {
      first++;
    }
    int slash = location.lastIndexOf('/', first);
    String folder = slash > 0 ? location.substring(0, slash) : slash == 0 ? "/" : ".";
    // A relative glob is listed from ".", whose entries start with "./".
    String text = slash < 0 ? "./" + location : location;
    try {
      return new Glob(text, folder, Pattern.compile(regex(text)));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "Cannot read '" + location + "' as a glob: " + e.getDescription() + ".", e);
    }
  }

  /// Returns the same glob for another spelling of its folder.
  ///
  /// @param listed the folder as the store lists it
  Glob in(String listed) {
    int slashes = listed.endsWith("/") && !folder.endsWith("/") ? 1 : 0;
    String spelled = listed.substring(0, listed.length() - slashes);
    return spelled.equals(folder) ? this : parse(spelled + text.substring(folder.length()));
  }

  boolean matches(String location) {
    return pattern.matcher(location).matches();
  }

  /// Returns whether a location or one below it may match.
  @SuppressWarnings("JdkObsolete") // hitEnd means exactly this: a longer text might match
  boolean mayHold(String location) {
    Matcher below = pattern.matcher(location + "/");
    return matches(location) || below.matches() || below.hitEnd();
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    boolean inBraces = false;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> {
          boolean deep = i + 1 < glob.length() && glob.charAt(i + 1) == '*';
          boolean wholeName = deep && i + 2 < glob.length() && glob.charAt(i + 2) == '/';
          regex.append(wholeName ? "(?:.*/)?" : deep ? ".*" : "[^/]*");
          i += wholeName ? 2 : deep ? 1 : 0;
        }
        case '?' -> regex.append("[^/]");
        case '[' -> {
          int end = glob.indexOf(']', i + 2);
          if (end < 0) {
            throw new IllegalArgumentException(
                "Cannot read '" + glob + "' as a glob: '[' at character " + i + " has no ']'.");
          }
          String set = glob.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
          regex.append(set.startsWith("!") ? "(?!/)[^" + set.substring(1) : "[" + set).append(']');
          i = end;
        }
        case '{' -> {
          inBraces = true;
          regex.append("(?:");
        }
        case '}' -> {
          regex.append(inBraces ? ")" : "\\}");
          inBraces = false;
        }
        case ',' -> regex.append(inBraces ? "|" : ",");
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }
}
