package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/// avro, record by record.
public final class AvroReader implements FormatReader {
  /// Made as a service.
  public AvroReader() {}

  @Override
  public String name() {
    return "avro-java";
  }

  @Override
  public Columns read(Path file) throws IOException {
    Columns columns = new Columns();
    try (var records =
        new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>())) {
      while (records.hasNext()) {
        GenericRecord record = records.next();
        columns.addRow();
        for (int i = 0; i < Columns.DOUBLES; i++) {
          columns.set(
              i, record.get(i) instanceof Number number ? number.doubleValue() : Double.NaN);
        }
        for (int i = Columns.DOUBLES; i < Columns.STRINGS; i++) {
          columns.set(i, ((Number) record.get(i)).longValue());
        }
        for (int i = Columns.STRINGS; i < Columns.NAMES.size(); i++) {
          columns.set(i, record.get(i));
        }
      }
    }
    return columns;
  }
}
