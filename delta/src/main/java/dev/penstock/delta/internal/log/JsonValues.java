package dev.penstock.delta.internal.log;

import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.ByteType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads JSON as values of the types that a log's actions have, see [ValueVector]. Fields that a
/// type lacks are skipped.
final class JsonValues {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonValues() {}

  /// Reads an object.
  ///
  /// @throws tools.jackson.core.JacksonException if it is not JSON
  /// @throws IllegalArgumentException if it is JSON of another type
  static @Nullable Object[] read(String text, StructType type) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      @Nullable Object[] row = (@Nullable Object[]) value(parser, type);
      if (row == null || parser.nextToken() != null) {
        throw new IllegalArgumentException("expected one object");
      }
      return row;
    }
  }

  private static @Nullable Object value(JsonParser parser, DataType type) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    return switch (type) {
      case StructType struct -> struct(parser, struct);
      case MapType map -> map(parser, map);
      case ArrayType array -> array(parser, array);
      case StringType _ -> {
        require(token.isScalarValue(), parser, type);
        yield parser.getString();
      }
      case BooleanType _ -> {
        require(token.isBoolean(), parser, type);
        yield parser.getBooleanValue();
      }
      case LongType _, IntegerType _, ShortType _, ByteType _ -> {
        require(token == JsonToken.VALUE_NUMBER_INT, parser, type);
        yield parser.getLongValue();
      }
      case DoubleType _, FloatType _ -> {
        require(token.isNumeric(), parser, type);
        yield parser.getDoubleValue();
      }
      default -> throw new IllegalArgumentException("a value of type " + type + " is not read");
    };
  }

  private static void require(boolean fits, JsonParser parser, DataType type) {
    if (!fits) {
      throw new IllegalArgumentException(
          "field '%s' is %s but expected %s"
              .formatted(parser.streamReadContext().pathAsPointer(), parser.currentToken(), type));
    }
  }

  private static @Nullable Object[] struct(JsonParser parser, StructType type) {
    require(parser.currentToken() == JsonToken.START_OBJECT, parser, type);
    @Nullable Object[] values = new @Nullable Object[type.length()];
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      int place = type.indexOf(name);
      parser.nextToken();
      if (place < 0) {
        parser.skipChildren();
      } else {
        values[place] = value(parser, type.at(place).getDataType());
      }
    }
    return values;
  }

  private static Map<Object, @Nullable Object> map(JsonParser parser, MapType type) {
    require(parser.currentToken() == JsonToken.START_OBJECT, parser, type);
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      values.put(name, value(parser, type.getValueType()));
    }
    return values;
  }

  private static List<@Nullable Object> array(JsonParser parser, ArrayType type) {
    require(parser.currentToken() == JsonToken.START_ARRAY, parser, type);
    List<@Nullable Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(parser, type.getElementType()));
    }
    return values;
  }
}
