package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.simdjson.JsonValue;
import org.simdjson.SimdJsonParser;

/// simdjson-java, line by line, because it parses one document; by names, because it looks at a
/// class anew for each document.
public final class SimdjsonReader implements FormatReader {
  /// Made as a service.
  public SimdjsonReader() {}

  @Override
  public String name() {
    return "simdjson-java";
  }

  @Override
  public Columns read(Path file) throws IOException {
    SimdJsonParser parser = new SimdJsonParser(4096, 64);
    Columns columns = new Columns();
    byte[] text = Files.readAllBytes(file);
    byte[] line = new byte[4096];
    int start = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\n') {
        System.arraycopy(text, start, line, 0, i - start);
        add(parser.parse(line, i - start), columns);
        start = i + 1;
      }
    }
    return columns;
  }

  private static void add(JsonValue row, Columns columns) {
    columns.addRow();
    for (int i = 0; i < Columns.DOUBLES; i++) {
      JsonValue value = row.get(Columns.NAMES.get(i));
      columns.set(i, value.isNull() ? Double.NaN : value.asDouble());
    }
    for (int i = Columns.DOUBLES; i < Columns.STRINGS; i++) {
      columns.set(i, row.get(Columns.NAMES.get(i)).asLong());
    }
    for (int i = Columns.STRINGS; i < Columns.NAMES.size(); i++) {
      columns.set(i, (Object) row.get(Columns.NAMES.get(i)).asString());
    }
  }
}
