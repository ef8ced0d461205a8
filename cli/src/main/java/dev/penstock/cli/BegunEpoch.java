package dev.penstock.cli;

import dev.penstock.cli.measure.RowDigest;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The part of an epoch that an earlier run of `load` has received.
///
/// @param rank the rank of the part, as `index/count`
record BegunEpoch(String rank, long rows, RowDigest digest) {
  private static final Pattern TEXTS =
      Pattern.compile("\\d{1,9}/\\d{1,9} [0-9a-f]{16} [0-9a-f]{16}");

  /// Reads the value that [#write] wrote.
  ///
  /// @throws IllegalArgumentException if it is another
  static BegunEpoch read(JsonParser json) {
    json.nextToken();
    String rank = text(json, "rank");
    long rows = "rows".equals(json.nextName()) ? json.nextLongValue(-1) : -1;
    String order = text(json, "order");
    String content = text(json, "content");
    boolean isWhole = json.nextToken() == JsonToken.END_OBJECT && rows >= 0;
    if (!isWhole || !TEXTS.matcher(rank + " " + order + " " + content).matches()) {
      throw new IllegalArgumentException("Cannot read the part of an epoch: it is damaged.");
    }
    return new BegunEpoch(rank, rows, RowDigest.of(order, content));
  }

  private static String text(JsonParser json, String name) {
    return name.equals(json.nextName()) ? String.valueOf(json.nextStringValue()) : "";
  }

  void write(JsonGenerator json) {
    json.writeStartObject()
        .writeStringProperty("rank", rank)
        .writeNumberProperty("rows", rows)
        .writeStringProperty("order", digest.rawOrder())
        .writeStringProperty("content", digest.rawContent())
        .writeEndObject();
  }
}
