package dev.penstock.tck;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;

/// The contract of [NumbersFormat], which [FileFormatContractTest] runs.
class NumbersContract extends FileFormatContract implements FormatWriter {
  @Override
  protected FormatWriter writer() {
    return this;
  }

  @Override
  protected LongStream seeds() {
    return LongStream.range(0, 3);
  }

  @Override
  public FileFormat format() {
    return new NumbersFormat();
  }

  @Override
  public List<DataType> types() {
    return List.of(NumbersFormat.TYPE);
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(NumbersFormat.MAGIC.getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(footer);
    out.writeInt(schema.size());
    for (Field field : schema.fields()) {
      out.writeUTF(field.name());
      out.writeBoolean(field.nullable());
    }
    out.writeInt(groups.size());
    for (List<List<Object>> group : groups) {
      out.writeInt(group.size());
      for (int c = 0; c < schema.size(); c++) {
        int column = c;
        byte[] block = block(group, column);
        LongSummaryStatistics numbers =
            group.stream()
                .map(row -> row.get(column))
                .filter(Objects::nonNull)
                .mapToLong(value -> (Long) value)
                .summaryStatistics();
        out.writeLong(file.size());
        out.writeInt(NumbersFormat.crc(block));
        out.writeInt((int) (group.size() - numbers.getCount()));
        out.writeLong(numbers.getMin());
        out.writeLong(numbers.getMax());
        file.writeBytes(block);
      }
    }
    file.writeBytes(footer.toByteArray());
    DataOutputStream end = new DataOutputStream(file);
    end.writeInt(NumbersFormat.crc(footer.toByteArray()));
    end.writeInt(footer.size());
    Files.write(path, file.toByteArray());
  }

  private static byte[] block(List<List<Object>> rows, int column) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (List<Object> row : rows) {
      out.writeBoolean(row.get(column) != null);
    }
    for (List<Object> row : rows) {
      out.writeLong(row.get(column) instanceof Long value ? value : 0);
    }
    return bytes.toByteArray();
  }
}
