package dev.penstock.delta.internal.log;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads JSON of any shape; values stay text.
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /// Reads an object.
  ///
  /// @return name to a [String], or a [Map] for an object; nulls and arrays are left out; empty if
  ///   it is not an object in JSON
  public static Map<String, Object> object(String text) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      return parser.nextToken() == JsonToken.START_OBJECT ? object(parser) : Map.of();
    } catch (JacksonException _) {
      return Map.of();
    }
  }

  /// Reads a text or a number of an object, and nothing behind it.
  ///
  /// @return null if there is none, or no object in JSON before it
  public static @Nullable String value(String text, String name) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      for (String at = parser.nextName(); at != null; at = parser.nextName()) {
        JsonToken token = parser.nextToken();
        if (at.equals(name)) {
          return token.isScalarValue() ? parser.getString() : null;
        }
        parser.skipChildren();
      }
      return null;
    } catch (JacksonException _) {
      return null;
    }
  }

  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT) {
        values.put(name, object(parser));
      } else if (token.isStructStart()) {
        parser.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        values.put(name, parser.getString());
      }
    }
    return values;
  }
}
