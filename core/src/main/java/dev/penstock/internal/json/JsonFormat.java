package dev.penstock.internal.json;

import dev.penstock.internal.text.TextForm;
import dev.penstock.spi.format.FileFormat;
import java.util.List;
import java.util.Map;

/// Files of one JSON array of objects, or of objects one after another.
public final class JsonFormat extends JsonFiles {
  public JsonFormat() {
    this(Map.of());
  }

  private JsonFormat(Map<String, String> options) {
    super("json", false, options);
  }

  @Override
  public List<String> extensions() {
    return TextForm.extensions("json");
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new JsonFormat(options);
  }
}
