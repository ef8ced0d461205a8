package dev.penstock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Values recorded from torch: the JSON files in the test resources below `torch`, where a README
/// says how each was recorded.
///
/// Numbers are [Long] where they have no fraction and [Double] where they do; arrays are lists,
/// objects maps.
public final class TorchValues {
  private final Map<?, ?> values;

  private TorchValues(Map<?, ?> values) {
    this.values = values;
  }

  /// Reads a file, for example `golden.json`.
  public static TorchValues read(String file) throws IOException {
    try (InputStream in =
            Objects.requireNonNull(TorchValues.class.getResourceAsStream("/torch/" + file), file);
        JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), in)) {
      json.nextToken();
      return new TorchValues((Map<?, ?>) value(json));
    }
  }

  /// Returns the names of all values.
  public Set<String> names() {
    return Set.copyOf(values.keySet().stream().map(String.class::cast).toList());
  }

  /// Returns a value.
  public Object get(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  /// Returns an array of whole numbers.
  public long[] longs(String name) {
    return longs(get(name));
  }

  /// Returns an array of arrays of whole numbers.
  public long[][] orders(String name) {
    return orders(get(name));
  }

  /// Returns an array of numbers.
  public double[] doubles(String name) {
    return ((List<?>) get(name)).stream().mapToDouble(Double.class::cast).toArray();
  }

  /// Returns part of a value as an array of whole numbers.
  public static long[] longs(Object array) {
    return ((List<?>) array).stream().mapToLong(Long.class::cast).toArray();
  }

  /// Returns part of a value as an array of arrays of whole numbers.
  public static long[][] orders(Object arrays) {
    return ((List<?>) arrays).stream().map(TorchValues::longs).toArray(long[][]::new);
  }

  private static Object value(JsonParser json) {
    JsonToken token = json.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value(json));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(json));
        }
        yield array;
      }
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw new IllegalArgumentException("unexpected " + token);
    };
  }
}
