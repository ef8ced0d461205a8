package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/// CSV files in all the ways in which they are written: line breaks, quotes where they need not be,
/// encodings, compression.
public final class CsvFiles implements TableWriter {
  private static final String NULL = "nil";

  @Override
  public boolean saysEnd() {
    return false;
  }

  @Override
  public String extension() {
    return ".csv";
  }

  @Override
  public int nesting() {
    return 0;
  }

  @Override
  public List<DataType> types() {
    return Table.TYPES.stream()
        .filter(
            type -> !(type instanceof DataType.Binary) && !(type instanceof DataType.FixedBinary))
        .toList();
  }

  /// A narrow number is written with the digits that it needs: read as a wide one, it is another.
  @Override
  public boolean holds(DataType type) {
    return !(type instanceof DataType.Floating(int bits)) || bits == 64;
  }

  @Override
  public boolean saysTypes() {
    return false;
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    return stated(location, table);
  }

  /// Returns files with all that CSV does not say: types, what is null, and, where row groups are
  /// of one size, that size.
  static StructuredDataset stated(String location, Table table) {
    return new StructuredDataset(location)
        .schemaFrom(table.schema())
        .formatOption("null", NULL)
        .formatOption("row-group-rows", Integer.toString(Tables.rowGroupRows(table)));
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    String end = layout.nextBoolean() ? "\n" : "\r\n";
    StringBuilder text = new StringBuilder();
    text.append(
        schema.names().stream().map(name -> quoted(name, layout)).collect(Collectors.joining(",")));
    for (List<List<Object>> group : groups) {
      for (List<Object> row : group) {
        text.append(end);
        for (int c = 0; c < row.size(); c++) {
          text.append(c == 0 ? "" : ",").append(field(schema.fields().get(c), row.get(c), layout));
        }
      }
    }
    text.append(layout.nextBoolean() ? end : "");
    byte[] bytes =
        switch (layout.nextInt(6)) {
          case 0 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
          case 1 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE);
          case 2 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_16BE);
          default -> text.toString().getBytes(StandardCharsets.UTF_8);
        };
    Files.write(path, layout.nextInt(4) == 0 ? gzip(bytes) : bytes);
  }

  public static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static String field(Field field, Object value, Random layout) {
    if (value == null) {
      return NULL;
    }
    String text = value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    boolean mustQuote =
        field.type() instanceof DataType.Utf8 && (text.isEmpty() || text.equals(NULL));
    return mustQuote || layout.nextInt(5) == 0 ? quoted(text) : quoted(text, layout);
  }

  private static String quoted(String text, Random layout) {
    boolean mustQuote = text.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return mustQuote || layout.nextInt(8) == 0 ? quoted(text) : text;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}
