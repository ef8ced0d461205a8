// @start region=series-format-test
package com.example.series;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.tck.FileFormatContract;
import dev.penstock.tck.FormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

class SeriesFormatTest extends FileFormatContract implements FormatWriter {
  @Override
  protected FormatWriter writer() {
    return this;
  }

  @Override
  public FileFormat format() {
    return new SeriesFormat();
  }

  @Override
  public List<DataType> types() {
    return List.of(SeriesFormat.TYPE);
  }

  @Override
  public boolean hasNulls() {
    return false;
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    List<List<Object>> rows = groups.stream().flatMap(List::stream).toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBytes("SER1");
    out.writeLong(rows.size());
    out.writeByte(schema.size());
    for (String name : schema.names()) {
      out.writeUTF(name);
    }
    for (int column = 0; column < schema.size(); column++) {
      for (List<Object> row : rows) {
        long bits = Double.doubleToRawLongBits((Double) row.get(column));
        out.writeLong(Long.reverseBytes(bits));
      }
    }
    Files.write(path, bytes.toByteArray());
  }
}
// @end
