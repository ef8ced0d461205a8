package dev.penstock.score;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.nio.charset.StandardCharsets;

/// A JSON document beside scores, which begins with its format.
final class ScoreDocument {
  private ScoreDocument() {}

  /// Returns the fields of a document of a format, but for that one.
  ///
  /// @throws IllegalArgumentException if it is none, or of another format
  static JsonFields read(String subject, byte[] content, String format) {
    JsonFields fields = JsonTree.read(subject, new String(content, StandardCharsets.UTF_8));
    String found = fields.text("format");
    if (!found.equals(format)) {
      throw new IllegalArgumentException(
          "Cannot read "
              + subject
              + ": its format is '"
              + found
              + "' but expected '"
              + format
              + "'. Use the version of Penstock that wrote it.");
    }
    return fields;
  }
}
