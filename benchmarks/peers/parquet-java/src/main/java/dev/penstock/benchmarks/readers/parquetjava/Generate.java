package dev.penstock.benchmarks.readers.parquetjava;

import dev.penstock.benchmarks.readers.ColumnSums;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/// Writes the file that readers are compared on, and beside it the sums of what was generated.
///
/// Every column is optional, as pandas and Spark write them. Pages have 20,000 rows or 1 MiB,
/// parquet-java's defaults; row groups about 64 MiB.
public final class Generate {
  private static final long ROW_GROUP_BYTES = 64L << 20;

  private Generate() {}

  /// Writes one file.
  ///
  /// @param args `TABLE CODEC ROWS FILE`
  /// @throws IOException if it cannot be written
  public static void main(String[] args) throws IOException {
    Table table = Table.named(args[0]).stored();
    CompressionCodecName codec =
        CompressionCodecName.valueOf(args[1].toUpperCase(java.util.Locale.ROOT));
    long rows = Long.parseLong(args[2]);
    Path file = Path.of(args[3]);
    Path part = Path.of(file + ".part");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(part);

    Values values = Values.of(table);
    ColumnSums sums = new ColumnSums(table);
    RowWriter support = new RowWriter(schema(table), table.columns(), values, sums);
    try (ParquetWriter<Long> writer =
        new RowWriter.Builder(new LocalOutputFile(part), support)
            .withCompressionCodec(codec)
            .withDictionaryEncoding(table == Table.MIXED)
            .withRowGroupSize(ROW_GROUP_BYTES)
            .build()) {
      for (long row = 0; row < rows; row++) {
        writer.write(row);
      }
    }
    sums.addRows(rows);
    sums.write(Path.of(file + ".sums"));
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static MessageType schema(Table table) {
    StringBuilder schema = new StringBuilder("message table {");
    for (Column column : table.columns()) {
      String name = column.name();
      schema.append(
          switch (column.kind()) {
            case DOUBLE -> "optional double " + name + ";";
            case FLOAT -> "optional float " + name + ";";
            case INT -> "optional int32 " + name + ";";
            case LONG -> "optional int64 " + name + ";";
            case TEXT -> "optional binary " + name + " (STRING);";
            case VECTOR ->
                "optional group "
                    + name
                    + " (LIST) { repeated group list { optional float element; } }";
          });
    }
    return MessageTypeParser.parseMessageType(schema.append("}").toString());
  }
}
