package dev.penstock.benchmarks.formats.peers;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvReader;
import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// FastCSV, whose fields are taken from its buffer.
public final class FastCsvReader implements FormatReader {
  /// Made as a service.
  public FastCsvReader() {}

  @Override
  public String name() {
    return "fastcsv";
  }

  @Override
  public Columns read(Path file) throws IOException {
    Fields fields = new Fields();
    try (var text = new InputStreamReader(Plain.open(file), StandardCharsets.UTF_8);
        var rows = CsvReader.builder().build(fields, text)) {
      for (Object row : rows) {
        assert row != null;
      }
    }
    return fields.columns;
  }

  private static final class Fields extends AbstractBaseCsvCallbackHandler<Columns> {
    private final Columns columns = new Columns();
    private boolean inHeader = true;

    @Override
    protected void handleField(int column, char[] text, int start, int length, boolean quoted) {
      if (inHeader) {
        return;
      }
      if (column == 0) {
        columns.addRow();
      }
      if (column < Columns.DOUBLES) {
        double value = length == 0 ? Double.NaN : JavaDoubleParser.parseDouble(text, start, length);
        columns.set(column, value);
      } else if (column < Columns.STRINGS) {
        long value = 0;
        for (int i = start; i < start + length; i++) {
          value = 10 * value + text[i] - '0';
        }
        columns.set(column, value);
      } else {
        columns.set(column, new String(text, start, length));
      }
    }

    @Override
    protected @Nullable Columns buildRecord() {
      inHeader = false;
      return columns;
    }
  }
}
