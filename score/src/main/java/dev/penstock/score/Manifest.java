package dev.penstock.score;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// All parts of a folder, written when the last one is there.
///
/// @param plan what tells the scores from others, see [Job#hash()]
/// @param parts they, in the order of the rows
record Manifest(String plan, List<MadePart> parts) {
  static final String FILE = "_manifest.json";
  private static final String FORMAT = "penstock scores 1";

  long rows() {
    return parts.stream().mapToLong(MadePart::rows).sum();
  }

  long skipped() {
    return parts.stream().mapToLong(MadePart::skipped).sum();
  }

  String toJson() {
    return JsonTree.text(this::write) + "\n";
  }

  private void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("format", FORMAT);
    json.writeStringProperty("plan", plan);
    json.writeNumberProperty("rows", rows());
    json.writeNumberProperty("skipped", skipped());
    json.writeArrayPropertyStart("parts");
    for (MadePart part : parts) {
      json.writeRaw("\n");
      json.writeStartObject();
      json.writeStringProperty("name", part.name());
      json.writeNumberProperty("rows", part.rows());
      json.writeNumberProperty("skipped", part.skipped());
      json.writeStringProperty("skippedRows", part.skippedFile());
      json.writeNumberProperty("bytes", part.bytes());
      json.writeStringProperty("sha256", part.sha256());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  static Manifest read(String subject, byte[] content) {
    JsonFields fields = ScoreDocument.read(subject, content, FORMAT);
    Manifest manifest =
        new Manifest(fields.text("plan"), fields.objects("parts", "a part", Manifest::part));
    fields.whole("rows", manifest.rows(), manifest.rows());
    fields.whole("skipped", manifest.skipped(), manifest.skipped());
    fields.requireNoOthers();
    return manifest;
  }

  private static MadePart part(JsonFields part) {
    return new MadePart(
        part.text("name"),
        part.whole("rows", 0, Long.MAX_VALUE),
        part.whole("skipped", 0, Long.MAX_VALUE),
        part.text("skippedRows"),
        part.whole("bytes", 0, Long.MAX_VALUE),
        part.text("sha256"));
  }
}
