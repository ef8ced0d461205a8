package dev.penstock.delta;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes values as Spark's `to_json` does.
///
/// @param times how times are written
record SparkJson(DateTimeFormatter times) {
  /// What keys of maps become that are lists: Spark writes the address of an object.
  private static final String NESTED_KEY = "\"list\"";

  /// Returns a line of Spark's with the keys that this class writes.
  static String comparable(String line) {
    return line.replaceAll("\"org[.]apache[.]spark[^\"]*ColumnarArray@[0-9a-f]+\"", NESTED_KEY);
  }

  /// The format of times that leaves nothing out. Spark's own has milliseconds.
  static final String MICROS = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS";

  private static final SparkJson IN_MILLIS =
      new SparkJson(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS"));
  private static final SparkJson IN_MICROS = new SparkJson(DateTimeFormatter.ofPattern(MICROS));

  static String row(List<Field> fields, List<? extends @Nullable Object> values) {
    return IN_MILLIS.text(fields, values);
  }

  static String inMicros(List<Field> fields, List<? extends @Nullable Object> values) {
    return IN_MICROS.text(fields, values);
  }

  private String text(List<Field> fields, List<? extends @Nullable Object> values) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < fields.size(); i++) {
      json.append(i == 0 ? "" : ",")
          .append(text(fields.get(i).name()))
          .append(':')
          .append(value(fields.get(i).type(), values.get(i)));
    }
    return json + "}";
  }

  private String key(DataType type, @Nullable Object value) {
    return type.isNested() ? NESTED_KEY : text(unquoted(value(type, value)));
  }

  private String value(DataType type, @Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> struct when type instanceof DataType.Struct(List<Field> fields) ->
          text(fields, fields.stream().map(field -> struct.get(field.name())).toList());
      case Map<?, ?> object when type instanceof DataType.Variant ->
          object.entrySet().stream()
              .map(entry -> text((String) entry.getKey()) + ":" + value(type, entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> array when type instanceof DataType.Variant ->
          array.stream().map(each -> value(type, each)).collect(Collectors.joining(",", "[", "]"));
      case List<?> map when type instanceof DataType.Map of ->
          map.stream()
              .map(each -> (Map.Entry<?, ?>) each)
              .map(entry ->
                  key(of.key(), entry.getKey()) + ":" + value(of.value(), entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list when type instanceof DataType.List of ->
          list.stream()
              .map(each -> value(of.element(), each))
              .collect(Collectors.joining(",", "[", "]"));
      case byte[] bytes -> text(Base64.getEncoder().encodeToString(bytes));
      case Instant time -> text(times.format(time.atOffset(ZoneOffset.UTC)) + "Z");
      case LocalDateTime time -> text(times.format(time));
      case Double number when !Double.isFinite(number) -> text(number.toString());
      case Float number when !Float.isFinite(number) -> text(number.toString());
      case Number number -> number.toString();
      case Boolean bit -> bit.toString();
      default -> text(value.toString());
    };
  }

  private static String unquoted(String json) {
    return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
  }

  private static String text(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        case '\r' -> json.append("\\r");
        default -> json.append(c < ' ' ? String.format("\\u%04X", (int) c) : String.valueOf(c));
      }
    }
    return json.append('"').toString();
  }
}
