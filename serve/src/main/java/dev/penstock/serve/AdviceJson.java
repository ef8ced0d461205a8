package dev.penstock.serve;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.Printable;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// A message in a frame: as Java writes it, and in parts, which clients write as their users do.
final class AdviceJson {
  private AdviceJson() {}

  /// Writes the fields `message` and, if it names options or modules, `parts`.
  static void write(JsonGenerator json, Advice advice) {
    json.writeStringProperty("message", Printable.of(advice.toString()));
    List<Remedy> parts = advice.parts();
    if (parts.stream().allMatch(Remedy.Text.class::isInstance)) {
      return;
    }
    json.writeArrayPropertyStart("parts");
    for (Remedy part : parts) {
      switch (part) {
        case Remedy.Text text -> json.writeString(Printable.of(text.java()));
        case Remedy.Module module -> {
          json.writeStartObject();
          json.writeStringProperty("module", module.name());
          json.writeStringProperty("java", module.java());
          json.writeEndObject();
        }
        case Remedy.Option option -> {
          json.writeStartObject();
          json.writeStringProperty("option", option.name());
          json.writeStringProperty("value", option.value());
          json.writeStringProperty("java", option.java());
          json.writeStringProperty("before", option.before());
          json.writeStringProperty("after", option.after());
          json.writeEndObject();
        }
      }
    }
    json.writeEndArray();
  }
}
