package dev.penstock.internal.variant;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;

/// Writes variants as JSON, by the table "Encoding types" of `VariantEncoding.md`: dates and times
/// in ISO 8601, binaries in base64; NaN and infinities, which JSON lacks, as texts.
public final class VariantJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private VariantJson() {}

  /// Returns the text, in UTF-8, of a value as [VariantValue#object()] returns it.
  public static byte[] of(@Nullable Object value) {
    try (ByteArrayBuilder bytes = new ByteArrayBuilder()) {
      try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
        write(value, json);
      }
      return bytes.toByteArray();
    }
  }

  private static void write(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, part) -> {
          json.writeName((String) name);
          write(part, json);
        });
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(part -> write(part, json));
        json.writeEndArray();
      }
      case Boolean bit -> json.writeBoolean(bit);
      case Long number -> json.writeNumber(number);
      case Float number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      case byte[] bytes -> json.writeString(Base64.getEncoder().encodeToString(bytes));
      default -> json.writeString(text(value));
    }
  }

  /// Returns the text of a value that JSON has no type for, or of a text.
  private static String text(Object value) {
    return switch (value) {
      case Instant time ->
          DateTimeFormatter.ISO_OFFSET_DATE_TIME
              .format(time.atOffset(ZoneOffset.UTC))
              .replace("Z", "+00:00");
      case LocalDateTime time -> DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
      case LocalTime time -> DateTimeFormatter.ISO_LOCAL_TIME.format(time);
      default -> value.toString();
    };
  }
}
