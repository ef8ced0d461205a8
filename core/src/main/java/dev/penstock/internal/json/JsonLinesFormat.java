package dev.penstock.internal.json;

import dev.penstock.internal.text.TextForm;
import dev.penstock.spi.format.FileFormat;
import java.util.List;
import java.util.Map;

/// Files with a JSON object on each line.
public final class JsonLinesFormat extends JsonFiles {
  public JsonLinesFormat() {
    this(Map.of());
  }

  private JsonLinesFormat(Map<String, String> options) {
    super("jsonl", true, options);
  }

  @Override
  public List<String> extensions() {
    return TextForm.extensions("jsonl", "ndjson");
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new JsonLinesFormat(options);
  }
}
