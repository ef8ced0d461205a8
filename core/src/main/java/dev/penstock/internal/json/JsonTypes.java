package dev.penstock.internal.json;

import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.internal.text.Words;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ScratchMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Detects the types of a sample of JSON.
final class JsonTypes {
  private final JsonText text;
  private final JsonStrings strings;

  JsonTypes(JsonText text, ScratchMemory memory) {
    this.text = text;
    this.strings = new JsonStrings(memory);
  }

  /// Reads an object and returns its fields.
  List<Field> object(int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    Map<String, DataType> types = new LinkedHashMap<>();
    text.expect('{');
    if (text.peek() != '}') {
      while (true) {
        String name = name();
        long start = text.from;
        text.expect(':');
        if (types.put(name, value(depth + 1)) != null) {
          throw new MalformedJsonException("field '" + name + "' is there twice", start);
        }
        if (text.peek() != ',') {
          break;
        }
        text.at++;
      }
    }
    if (text.peek() != '}') {
      throw text.unexpected("',' or '}'");
    }
    text.at++;
    List<Field> fields = new ArrayList<>();
    types.forEach((name, type) -> fields.add(new Field(name, type, true)));
    return fields;
  }

  private String name() throws MalformedJsonException {
    text.string();
    long from = text.from;
    long to = text.to;
    if (text.escaped) {
      strings.unescape(from, to);
      from = strings.from();
      to = strings.to();
    }
    byte[] bytes = Raw.ALL.asSlice(from, to - from).toArray(Raw.BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private DataType value(int depth) throws MalformedJsonException {
    return switch (text.peek()) {
      case '{' -> {
        List<Field> fields = object(depth);
        yield fields.isEmpty() ? TextTypes.UNKNOWN : new DataType.Struct(fields);
      }
      case '[' -> new DataType.List(elements(depth), true);
      case '"' -> {
        text.string();
        DataType type = text.escaped ? DataType.string() : TextTypes.of(text.from, text.to);
        boolean time = type instanceof DataType.Date || type instanceof DataType.Timestamp;
        yield time ? type : DataType.string();
      }
      default -> {
        text.word();
        boolean isNull = Words.load(text.from) == 'n';
        yield isNull ? TextTypes.UNKNOWN : TextTypes.of(text.from, text.to);
      }
    };
  }

  private DataType elements(int depth) throws MalformedJsonException {
    text.requireDepth(depth);
    DataType element = TextTypes.UNKNOWN;
    text.expect('[');
    if (text.peek() != ']') {
      while (true) {
        element = TextTypes.joined(element, value(depth + 1));
        if (text.peek() != ',') {
          break;
        }
        text.at++;
      }
    }
    if (text.peek() != ']') {
      throw text.unexpected("',' or ']'");
    }
    text.at++;
    return element;
  }
}
