package dev.penstock.cli;

import dev.penstock.cli.measure.RowDigest;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The part of an epoch that an earlier run of `load` has received.
///
/// @param rank the rank of the part, as `index/count`
/// @param batches how many were received; empty if as many as the state says, as no step was
///   skipped
record BegunEpoch(String rank, long rows, OptionalLong batches, RowDigest digest) {
  private static final Pattern TEXTS =
      Pattern.compile("\\d{1,9}/\\d{1,9} [0-9a-f]{16} [0-9a-f]{16}");

  /// Reads the value that [#write] wrote.
  ///
  /// @throws IllegalArgumentException if it is another
  static BegunEpoch read(JsonParser json) {
    json.nextToken();
    String rank = text(json, "rank");
    long rows = "rows".equals(json.nextName()) ? json.nextLongValue(-1) : -1;
    String name = String.valueOf(json.nextName());
    OptionalLong batches = OptionalLong.empty();
    if (name.equals("batches")) {
      batches = OptionalLong.of(json.nextLongValue(-1));
      name = String.valueOf(json.nextName());
    }
    String order = name.equals("order") ? String.valueOf(json.nextStringValue()) : "";
    String content = text(json, "content");
    boolean isWhole =
        json.nextToken() == JsonToken.END_OBJECT && rows >= 0 && batches.orElse(0) >= 0;
    if (!isWhole || !TEXTS.matcher(rank + " " + order + " " + content).matches()) {
      throw new IllegalArgumentException("Cannot read the part of an epoch: it is damaged.");
    }
    return new BegunEpoch(rank, rows, batches, RowDigest.of(order, content));
  }

  private static String text(JsonParser json, String name) {
    return name.equals(json.nextName()) ? String.valueOf(json.nextStringValue()) : "";
  }

  void write(JsonGenerator json) {
    json.writeStartObject().writeStringProperty("rank", rank).writeNumberProperty("rows", rows);
    batches.ifPresent(count -> json.writeNumberProperty("batches", count));
    json.writeStringProperty("order", digest.rawOrder())
        .writeStringProperty("content", digest.rawContent())
        .writeEndObject();
  }
}
