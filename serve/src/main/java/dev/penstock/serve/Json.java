package dev.penstock.serve;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.storage.Printable;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/// Writes the JSON of frames.
final class Json {
  private Json() {}

  static String object(Consumer<JsonGenerator> fields) {
    return JsonTree.text(json -> {
      json.writeStartObject();
      fields.accept(json);
      json.writeEndObject();
    });
  }

  /// Writes the fields of a message: `message` as Java writes it and, if it names options or
  /// modules, `parts`, which clients write as their users do.
  static void message(JsonGenerator json, Advice advice) {
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
          json.writeStringProperty("value", Printable.of(option.value()));
          json.writeStringProperty("java", Printable.of(option.java()));
          json.writeStringProperty("before", option.before());
          json.writeStringProperty("after", option.after());
          json.writeEndObject();
        }
      }
    }
    json.writeEndArray();
  }
}
