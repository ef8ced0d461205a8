package dev.penstock.internal.document;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/// Reads a JSON document as Java objects, and writes one. Duplicate names are an error, and so is a
/// document deeper than any of ours.
public final class JsonTree {
  /// None of our documents is deeper. The deepest is a mixture of tables that a client asks for, at
  /// 8; a mixture in a mixture is deeper, and refused for what it is.
  private static final int DEPTH_MAX = 12;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private JsonTree() {}

  /// Returns the document that `write` writes.
  public static String text(Consumer<JsonGenerator> write) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write.accept(json);
    }
    return text.toString();
  }

  /// Reads a document; errors begin with "Cannot read `subject`: ".
  public static JsonFields read(String subject, String text) {
    Object document;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      json.nextToken();
      document = value(subject, json);
      if (json.nextToken() != null) {
        throw refuse(subject, "there is more text behind it");
      }
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot read %s: it %s.",
              subject,
              e instanceof UnexpectedEndOfInputException
                  ? "ends too early"
                  : "is no such JSON" + place(e.getLocation())),
          e);
    }
    return new JsonFields(subject, "the document", document);
  }

  /// Reads a value; numbers become [JsonFields.Digits].
  private static Object value(String subject, JsonParser json) {
    JsonToken token = json.currentToken();
    if (token == null) {
      throw refuse(subject, "it is empty");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value(subject, json));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(subject, json));
        }
        yield array;
      }
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonFields.Digits(json.getString());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw refuse(subject, "there is a " + json.getString() + " in it");
    };
  }

  private static WrongFieldException refuse(String subject, String what) {
    return new WrongFieldException("Cannot read " + subject + ": " + what + ".");
  }

  private static String place(@Nullable TokenStreamLocation place) {
    return place == null || place.getCharOffset() < 0
        ? ""
        : " at character " + place.getCharOffset();
  }
}
