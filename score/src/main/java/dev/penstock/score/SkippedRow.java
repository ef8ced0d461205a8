package dev.penstock.score;

import dev.penstock.internal.document.JsonTree;
import dev.penstock.storage.Location;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A row that the model failed for.
///
/// @param index its number among the rows of its part that the filter keeps
/// @param file the file
/// @param row its number in the file, counted from 0
/// @param reason what the model said
record SkippedRow(long index, Location file, long row, String reason) {
  /// The folder of the lists, below that of the scores. Readers of tables leave out a name that
  /// begins so.
  static final String FOLDER = "_skipped";

  private String json() {
    return JsonTree.text(json -> {
      json.writeStartObject();
      json.writeNumberProperty("index", index);
      json.writeStringProperty("file", file.text());
      json.writeNumberProperty("row", row);
      json.writeStringProperty("reason", reason);
      json.writeEndObject();
    });
  }

  /// Returns the list as lines of JSON.
  static byte[] lines(List<SkippedRow> rows) {
    StringBuilder lines = new StringBuilder();
    for (SkippedRow row : rows) {
      lines.append(row.json()).append('\n');
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Returns the indexes of a list.
  static Set<Long> indexes(String subject, byte[] lines) {
    Set<Long> indexes = new HashSet<>();
    for (String line : new String(lines, StandardCharsets.UTF_8).lines().toList()) {
      indexes.add(JsonTree.read(subject, line).whole("index", 0, Long.MAX_VALUE));
    }
    return indexes;
  }
}
