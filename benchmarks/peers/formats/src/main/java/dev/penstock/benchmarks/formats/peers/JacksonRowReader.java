package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/// jackson-databind, row by row.
public final class JacksonRowReader implements FormatReader {
  private static final ObjectReader ROWS =
      new JsonMapper(JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build())
          .readerFor(Row.class);

  /// Made as a service.
  public JacksonRowReader() {}

  @Override
  public String name() {
    return "jackson-databind";
  }

  @Override
  public Columns read(Path file) throws IOException {
    Columns columns = new Columns();
    try (MappingIterator<Row> rows = ROWS.readValues(file)) {
      while (rows.hasNext()) {
        rows.next().addTo(columns);
      }
    }
    return columns;
  }
}
