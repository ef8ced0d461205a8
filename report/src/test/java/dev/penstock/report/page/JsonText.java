package dev.penstock.report.page;

import java.util.List;
import java.util.Map;

/// Maps, lists, texts, numbers and booleans as JSON.
final class JsonText {
  private final StringBuilder text = new StringBuilder();

  private JsonText() {}

  static String of(Object value) {
    JsonText json = new JsonText();
    json.write(value);
    return json.text.toString();
  }

  private void write(Object value) {
    switch (value) {
      case Map<?, ?> map -> writeObject(map);
      case List<?> list -> writeArray(list);
      case String string -> writeString(string);
      case Number number -> text.append(number);
      case Boolean flag -> text.append(flag);
      default -> throw new IllegalArgumentException(value.getClass().getName());
    }
  }

  private void writeObject(Map<?, ?> map) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(separator);
      writeString((String) entry.getKey());
      text.append(':');
      write(entry.getValue());
      separator = ",";
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private void writeArray(List<?> list) {
    String separator = "[";
    for (Object value : list) {
      text.append(separator);
      write(value);
      separator = ",";
    }
    text.append(list.isEmpty() ? "[]" : "]");
  }

  private void writeString(String string) {
    text.append('"');
    for (int k = 0; k < string.length(); k++) {
      char c = string.charAt(k);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        default -> {
          if (c < ' ') {
            text.append("\\u%04x".formatted((int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
