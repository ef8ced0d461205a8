package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// jackson-core, token by token.
public final class JacksonReader implements FormatReader {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  /// Made as a service.
  public JacksonReader() {}

  @Override
  public String name() {
    return "jackson";
  }

  @Override
  public Columns read(Path file) throws IOException {
    Columns columns = new Columns();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), file)) {
      while (parser.nextToken() != null) {
        columns.addRow();
        for (int guess = 0; parser.nextToken() != JsonToken.END_OBJECT; guess++) {
          int column = column(parser.currentName(), guess);
          JsonToken value = parser.nextToken();
          if (column < Columns.DOUBLES) {
            boolean isNull = value == JsonToken.VALUE_NULL;
            columns.set(column, isNull ? Double.NaN : parser.getDoubleValue());
          } else if (column < Columns.STRINGS) {
            columns.set(column, parser.getLongValue());
          } else {
            columns.set(column, (Object) parser.getString());
          }
        }
      }
    }
    return columns;
  }

  private static int column(String name, int guess) {
    return name.equals(Columns.NAMES.get(guess)) ? guess : Columns.NAMES.indexOf(name);
  }
}
