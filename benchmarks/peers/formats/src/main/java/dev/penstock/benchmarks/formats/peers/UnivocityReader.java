package dev.penstock.benchmarks.formats.peers;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// univocity-parsers, on the calling thread.
public final class UnivocityReader implements FormatReader {
  /// Made as a service.
  public UnivocityReader() {}

  @Override
  public String name() {
    return "univocity";
  }

  @Override
  public Columns read(Path file) throws IOException {
    CsvParserSettings settings = new CsvParserSettings();
    settings.setHeaderExtractionEnabled(true);
    settings.setReadInputOnSeparateThread(false);
    CsvParser parser = new CsvParser(settings);
    Columns columns = new Columns();
    try (InputStream text = Plain.open(file)) {
      parser.beginParsing(text, StandardCharsets.UTF_8);
      for (String[] row = parser.parseNext(); row != null; row = parser.parseNext()) {
        columns.addRow();
        for (int i = 0; i < Columns.DOUBLES; i++) {
          columns.set(i, row[i] == null ? Double.NaN : JavaDoubleParser.parseDouble(row[i]));
        }
        for (int i = Columns.DOUBLES; i < Columns.STRINGS; i++) {
          columns.set(i, Long.parseLong(row[i]));
        }
        for (int i = Columns.STRINGS; i < row.length; i++) {
          columns.set(i, (Object) row[i]);
        }
      }
    }
    return columns;
  }
}
