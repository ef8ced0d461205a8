package dev.penstock.batch;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Text as a JSON string, on one line.
final class JsonString {
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private JsonString() {}

  static String of(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      int escape = unit == '/' ? -1 : ESCAPED.indexOf(unit);
      if (escape >= 0) {
        json.append('\\').append(ESCAPES.charAt(escape));
      } else if (Character.isISOControl(unit) || unit == '\u2028' || unit == '\u2029') {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
      } else {
        json.append(unit);
      }
    }
    return json.append('"').toString();
  }

  /// Returns the text of one JSON string, or null if the line is anything else.
  static @Nullable String parse(String line) {
    String json = line.strip();
    int end = json.length() - 1;
    if (end < 1 || json.charAt(0) != '"' || json.charAt(end) != '"') {
      return null;
    }
    StringBuilder text = new StringBuilder(json.length());
    int at = 1;
    while (at < end) {
      char unit = json.charAt(at++);
      if (unit == '"' || unit < ' ') {
        return null;
      }
      if (unit != '\\') {
        text.append(unit);
        continue;
      }
      int escape = at < end ? ESCAPES.indexOf(json.charAt(at)) : -1;
      if (escape >= 0) {
        text.append(ESCAPED.charAt(escape));
        at++;
      } else if (at + 4 < end && json.substring(at, at + 5).matches("u[0-9a-fA-F]{4}")) {
        text.append((char) Integer.parseInt(json, at + 1, at + 5, 16));
        at += 5;
      } else {
        return null;
      }
    }
    return text.toString();
  }
}
