package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Values;
import dev.penstock.testing.JavaParquet;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/// Parquet files written by parquet-java.
///
/// Each row group is written as a file of its own in memory, then they are joined, so that row
/// groups have exactly the wanted rows; those without rows are added to the footer.
public final class ParquetFiles implements TableWriter {
  private static final CompressionCodecName[] CODECS = {
    CompressionCodecName.UNCOMPRESSED, CompressionCodecName.SNAPPY, CompressionCodecName.ZSTD
  };

  private final boolean prunable;

  /// Writes statistics, dictionaries and bloom filters now and then.
  public ParquetFiles() {
    this(false);
  }

  private ParquetFiles(boolean prunable) {
    this.prunable = prunable;
  }

  /// Returns a writer of statistics and dictionaries, always, and of no bloom filters.
  public static ParquetFiles prunable() {
    return new ParquetFiles(true);
  }

  @Override
  public String extension() {
    return ".parquet";
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    MessageType message = message(schema);
    try (ParquetFileWriter joined =
        new ParquetFileWriter(
            new LocalOutputFile(path),
            message,
            ParquetFileWriter.Mode.OVERWRITE,
            128 << 20,
            0,
            64,
            64,
            true)) {
      joined.start();
      for (int g = 0; g < groups.size(); g++) {
        if (!groups.get(g).isEmpty()) {
          ParquetMemory part = new ParquetMemory();
          writeGroup(part, message, schema, groups.get(g), layout);
          try (ParquetFileReader reader = JavaParquet.open(part)) {
            reader.appendTo(joined);
          }
        }
      }
      joined.end(Map.of());
    }
    EmptyGroups.insert(path, groups);
  }

  private void writeGroup(
      OutputFile file, MessageType message, Schema schema, List<List<Object>> rows, Random layout)
      throws IOException {
    ExampleParquetWriter.Builder builder = ExampleParquetWriter.builder(file);
    for (Field field : schema.fields()) {
      boolean possible =
          field.type() instanceof DataType.Utf8 || field.type() instanceof DataType.Int;
      builder.withBloomFilterEnabled(field.name(), possible && layout.nextInt(4) == 0 && !prunable);
    }
    try (ParquetWriter<Group> writer =
        builder
            .withType(message)
            .withConf(new PlainParquetConfiguration())
            .withMaxBloomFilterBytes(1 << 10) // 1 MiB otherwise, however few the values
            .withCompressionCodec(CODECS[layout.nextInt(CODECS.length)])
            .withDictionaryEncoding(layout.nextBoolean() || prunable)
            .withPageRowCountLimit(layout.nextBoolean() ? 20_000 : 1 + layout.nextInt(50))
            .withPageWriteChecksumEnabled(layout.nextBoolean())
            .withStatisticsEnabled(layout.nextInt(4) > 0 || prunable)
            .build()) {
      for (List<Object> row : rows) {
        writer.write(group(message, schema, row));
      }
    }
  }

  /// Returns one row as a group of parquet-java.
  public static Group group(MessageType message, Schema schema, List<Object> row) {
    Group group = new SimpleGroup(message);
    for (int c = 0; c < schema.size(); c++) {
      addIfPresent(group, c, schema.fields().get(c).type(), row.get(c));
    }
    return group;
  }

  private static void add(Group group, int column, DataType type, Object value) {
    switch (type) {
      case DataType.Bool _ -> group.add(column, (Boolean) value);
      case DataType.Int(int bits, boolean _) when bits == 64 ->
          group.add(column, Values.toLong(type, value));
      case DataType.Int _, DataType.Date _ -> group.add(column, (int) Values.toLong(type, value));
      case DataType.Time(TimeUnit unit, boolean _) when unit == TimeUnit.MILLIS ->
          group.add(column, (int) Values.toLong(type, value));
      case DataType.Time _, DataType.Timestamp _ -> group.add(column, Values.toLong(type, value));
      case DataType.Floating(int bits) when bits == 16 -> {
        short half = Float.floatToFloat16((Float) value);
        group.add(column, binary((byte) half, (byte) (half >> 8)));
      }
      case DataType.Floating(int bits) when bits == 32 -> group.add(column, (Float) value);
      case DataType.Floating _ -> group.add(column, (Double) value);
      case DataType.Decimal(int precision, int _) ->
          addDecimal(group, column, precision, ((BigDecimal) value).unscaledValue());
      case DataType.Utf8 _ ->
          group.add(column, binary(((String) value).getBytes(StandardCharsets.UTF_8)));
      case DataType.Uuid _ -> {
        UUID uuid = (UUID) value;
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        group.add(column, binary(bytes.array()));
      }
      case DataType.Binary _, DataType.FixedBinary _, DataType.Interval _ ->
          group.add(column, binary(HexFormat.of().parseHex((String) value)));
      case DataType.List(DataType element, boolean _) -> {
        Group list = group.addGroup(column);
        for (Object each : (List<?>) value) {
          addIfPresent(list.addGroup(0), 0, element, each);
        }
      }
      case DataType.Struct(List<Field> fields) -> {
        Group struct = group.addGroup(column);
        for (int i = 0; i < fields.size(); i++) {
          Object part = ((Map<?, ?>) value).get(fields.get(i).name());
          addIfPresent(struct, i, fields.get(i).type(), part);
        }
      }
      case DataType.Map(DataType key, DataType item, boolean _) -> {
        Group map = group.addGroup(column);
        for (Object each : (List<?>) value) {
          Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
          Group pair = map.addGroup(0);
          add(pair, 0, key, entry.getKey());
          addIfPresent(pair, 1, item, entry.getValue());
        }
      }
      case DataType.Variant _, DataType.Null _, DataType.Unsupported _ ->
          throw new AssertionError(type);
    }
  }

  private static void addIfPresent(Group group, int column, DataType type, Object value) {
    if (value != null) {
      add(group, column, type, value);
    }
  }

  private static void addDecimal(Group group, int column, int precision, BigInteger unscaled) {
    if (precision <= 9) {
      group.add(column, unscaled.intValueExact());
    } else if (precision <= 18) {
      group.add(column, unscaled.longValueExact());
    } else {
      byte[] bytes = new byte[precision <= 38 ? 16 : 32];
      Arrays.fill(bytes, (byte) (unscaled.signum() < 0 ? -1 : 0));
      byte[] value = unscaled.toByteArray();
      System.arraycopy(value, 0, bytes, bytes.length - value.length, value.length);
      group.add(column, binary(bytes));
    }
  }

  private static Binary binary(byte... bytes) {
    return Binary.fromConstantByteArray(bytes);
  }

  /// Returns a schema in parquet-java's form.
  public static MessageType message(Schema schema) {
    StringBuilder text = new StringBuilder("message table {");
    schema.fields().forEach(field -> text.append(declaration(field)));
    return MessageTypeParser.parseMessageType(text + " }");
  }

  private static String declaration(Field field) {
    String repetition = field.nullable() ? " optional " : " required ";
    String name = field.name();
    return switch (field.type()) {
      case DataType.List(DataType element, boolean nullable) ->
          repetition
              + "group "
              + name
              + " (LIST) { repeated group list {"
              + declaration(new Field("element", element, nullable))
              + " } }";
      case DataType.Struct(List<Field> fields) -> {
        StringBuilder parts = new StringBuilder();
        fields.forEach(part -> parts.append(declaration(part)));
        yield repetition + "group " + name + " {" + parts + " }";
      }
      case DataType.Map map ->
          repetition
              + "group "
              + name
              + " (MAP) { repeated group key_value {"
              + declaration(new Field("key", map.key(), false))
              + declaration(new Field("value", map.value(), map.nullableValues()))
              + " } }";
      default -> repetition + String.format(declaration(field.type()), name) + ';';
    };
  }

  private static String declaration(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> "boolean %s";
      case DataType.Int(int bits, boolean signed) ->
          (bits == 64 ? "int64" : "int32") + " %s (INTEGER(" + bits + "," + signed + "))";
      case DataType.Floating(int bits) ->
          bits == 16
              ? "fixed_len_byte_array(2) %s (FLOAT16)"
              : bits == 32 ? "float %s" : "double %s";
      case DataType.Decimal(int precision, int scale) ->
          (precision <= 9
                  ? "int32"
                  : precision <= 18
                      ? "int64"
                      : "fixed_len_byte_array(" + (precision <= 38 ? 16 : 32) + ")")
              + " %s (DECIMAL("
              + precision
              + ","
              + scale
              + "))";
      case DataType.Utf8 _ -> "binary %s (STRING)";
      case DataType.Binary _ -> "binary %s";
      case DataType.FixedBinary(int width) -> "fixed_len_byte_array(" + width + ") %s";
      case DataType.Interval _ -> "fixed_len_byte_array(12) %s (INTERVAL)";
      case DataType.Uuid _ -> "fixed_len_byte_array(16) %s (UUID)";
      case DataType.Date _ -> "int32 %s (DATE)";
      case DataType.Time(TimeUnit unit, boolean utc) ->
          (unit == TimeUnit.MILLIS ? "int32" : "int64")
              + " %s (TIME("
              + unit.name()
              + ","
              + utc
              + "))";
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          "int64 %s (TIMESTAMP(" + unit.name() + "," + utc + "))";
      case DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          throw new AssertionError(type);
    };
  }
}
