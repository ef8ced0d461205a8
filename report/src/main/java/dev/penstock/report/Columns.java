package dev.penstock.report;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/// Writes one property of many things as an array.
record Columns(JsonGenerator json) {
  <T> void numbers(String name, List<T> things, ToLongFunction<? super T> property) {
    json.writeArrayPropertyStart(name);
    things.forEach(each -> json.writeNumber(property.applyAsLong(each)));
    json.writeEndArray();
  }

  <T> void texts(String name, List<T> things, Function<? super T, String> property) {
    json.writeArrayPropertyStart(name);
    things.forEach(each -> json.writeString(property.apply(each)));
    json.writeEndArray();
  }

  /// Writes shares with four digits, which are more than can be seen.
  void shares(List<Double> shares) {
    json.writeStartArray();
    shares.forEach(share -> json.writeNumber(Math.round(share * 10_000) / 10_000.0));
    json.writeEndArray();
  }
}
