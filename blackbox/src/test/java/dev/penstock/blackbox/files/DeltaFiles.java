package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/// Delta tables whose columns have other names in their files, and whose deletion vectors, in the
/// log or in files, delete rows between those that count. The log is written here, by Delta's
/// protocol.
///
/// @param store where the table is put; null to leave it on the local disk
public record DeltaFiles(StoredFiles.@Nullable FolderStore store) implements TableWriter {
  private static final List<DataType> TYPES =
      List.of(
          DataType.bool(),
          DataType.int8(),
          DataType.int16(),
          DataType.int32(),
          DataType.int64(),
          DataType.float32(),
          DataType.float64(),
          new DataType.Decimal(9, 2),
          new DataType.Decimal(18, 5),
          new DataType.Decimal(38, 10),
          DataType.date(),
          new DataType.Timestamp(TimeUnit.MICROS, true),
          new DataType.Timestamp(TimeUnit.MICROS, false),
          DataType.string(),
          new DataType.Binary());

  private static final String PROTOCOL =
      """
      {"protocol":{"minReaderVersion":3,"minWriterVersion":7,\
      "readerFeatures":["columnMapping","deletionVectors","timestampNtz"],\
      "writerFeatures":["columnMapping","deletionVectors","timestampNtz"]}}
      """;

  private static final String DIGITS =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

  private DeletedRowsFiles files() {
    return new DeletedRowsFiles(new ParquetFiles(), "parquet");
  }

  @Override
  public boolean hidesRows() {
    return true;
  }

  @Override
  public String extension() {
    return ".parquet";
  }

  @Override
  public List<DataType> types() {
    return TYPES;
  }

  @Override
  public boolean holds(DataType type) {
    return TYPES.contains(type);
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    files().write(path, schema, groups, layout);
  }

  @Override
  public Path write(Path folder, Table table, Random layout) throws IOException {
    List<Field> stored = new ArrayList<>();
    for (Field field : table.schema().fields()) {
      stored.add(new Field("col-" + stored.size(), field.type(), field.nullable()));
    }
    files().write(folder, new Table(Schema.of(stored), table.files()), layout);
    StringBuilder commit = new StringBuilder(PROTOCOL);
    commit.append(metadata(table.schema()));
    for (Table.DataFile file : table.files()) {
      commit.append(add(folder, file, layout));
    }
    Path log = Files.createDirectories(folder.resolve("_delta_log"));
    Files.writeString(log.resolve("0".repeat(20) + ".json"), commit);
    return folder;
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    return DeltaDataset.table(location).dataset();
  }

  @Override
  public StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    Path written = write(folder, table, layout);
    if (store == null) {
      return open(written.toString(), table);
    }
    StoredFiles.Place place = store.put(written);
    DeltaDataset made = DeltaDataset.table(place.location());
    for (Map.Entry<String, String> option : place.options().entrySet()) {
      made = made.storageOption(option.getKey(), option.getValue());
    }
    return made.dataset();
  }

  private static String metadata(Schema schema) {
    int[] id = {0};
    List<String> fields = new ArrayList<>();
    for (Field field : schema.fields()) {
      fields.add(field(field, "col-" + fields.size(), id));
    }
    return """
    {"metaData":{"id":"%s","format":{"provider":"parquet","options":{}},"schemaString":%s,\
    "partitionColumns":[],"configuration":{"delta.columnMapping.mode":"name",\
    "delta.columnMapping.maxColumnId":"%s"}}}
    """
        .formatted(new UUID(1, 2), quoted(struct(fields)), id[0]);
  }

  private static String struct(List<String> fields) {
    return "{\"type\":\"struct\",\"fields\":[" + String.join(",", fields) + "]}";
  }

  private static String field(Field field, String storedName, int[] id) {
    return "{\"name\":%s,\"type\":%s,\"nullable\":%b,\"metadata\":{%s:%s,%s:%s}}"
        .formatted(
            quoted(field.name()),
            type(field.type(), id),
            field.nullable(),
            quoted("delta.columnMapping.id"),
            ++id[0],
            quoted("delta.columnMapping.physicalName"),
            quoted(storedName));
  }

  private static String type(DataType type, int[] id) {
    return switch (type) {
      case DataType.Int(int bits, boolean _) ->
          quoted(
              switch (bits) {
                case 8 -> "byte";
                case 16 -> "short";
                case 32 -> "integer";
                default -> "long";
              });
      case DataType.Bool _ -> quoted("boolean");
      case DataType.Floating(int bits) -> quoted(bits == 32 ? "float" : "double");
      case DataType.Decimal(int precision, int scale) ->
          quoted("decimal(" + precision + "," + scale + ")");
      case DataType.Timestamp(TimeUnit _, boolean utc) ->
          quoted(utc ? "timestamp" : "timestamp_ntz");
      case DataType.List(DataType element, boolean nullable) ->
          "{\"type\":\"array\",\"elementType\":%s,\"containsNull\":%b}"
              .formatted(type(element, id), nullable);
      case DataType.Map(DataType key, DataType value, boolean nullable) ->
          "{\"type\":\"map\",\"keyType\":%s,\"valueType\":%s,\"valueContainsNull\":%b}"
              .formatted(type(key, id), type(value, id), nullable);
      case DataType.Struct(List<Field> fields) ->
          struct(fields.stream().map(field -> field(field, field.name(), id)).toList());
      default -> quoted(type.toString());
    };
  }

  private static String quoted(String text) {
    return text.chars()
        .mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c : String.valueOf((char) c))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private String add(Path folder, Table.DataFile file, Random layout) throws IOException {
    Path path = path(folder, file);
    long rows = 0;
    for (int live = file.rows().size(); live > 0; live--) {
      while (DeletedRowsFiles.isDeleted(rows)) {
        rows++;
      }
      rows++;
    }
    int[] deleted =
        LongStream.range(0, rows)
            .filter(DeletedRowsFiles::isDeleted)
            .mapToInt(Math::toIntExact)
            .toArray();
    String name = folder.relativize(path).toString().replace('\\', '/').replace(" ", "%20");
    return """
    {"add":{"path":%s,"partitionValues":{},"size":%s,"modificationTime":0,"dataChange":true,\
    "stats":"{\\"numRecords\\":%s}"%s}}
    """
        .formatted(
            quoted(name),
            Files.size(path),
            rows,
            deleted.length == 0 ? "" : ",\"deletionVector\":" + vector(folder, deleted, layout));
  }

  private static String vector(Path folder, int[] deleted, Random layout) throws IOException {
    byte[] data = bitmap(deleted);
    boolean inline = layout.nextBoolean();
    UUID name = new UUID(layout.nextLong(), layout.nextLong());
    if (!inline) {
      CRC32 sum = new CRC32();
      sum.update(data);
      ByteBuffer file = ByteBuffer.allocate(data.length + 9);
      file.put((byte) 1).putInt(data.length).put(data).putInt((int) sum.getValue());
      Files.write(folder.resolve("deletion_vector_" + name + ".bin"), file.array());
    }
    ByteBuffer id = ByteBuffer.allocate(16);
    id.putLong(name.getMostSignificantBits()).putLong(name.getLeastSignificantBits());
    return "{\"storageType\":\"%s\",\"pathOrInlineDv\":%s,%s\"sizeInBytes\":%s,\"cardinality\":%s}"
        .formatted(
            inline ? "i" : "u",
            quoted(base85(inline ? data : id.array())),
            inline ? "" : "\"offset\":1,",
            data.length,
            deleted.length);
  }

  /// The format `RoaringBitmapArray` of Delta's protocol, padded for base 85.
  private static byte[] bitmap(int[] deleted) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer head = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    bytes.write(head.putInt(1681511377).putLong(1).putInt(0).array());
    RoaringBitmap.bitmapOf(deleted).serialize(new DataOutputStream(bytes));
    while (bytes.size() % 4 != 0) {
      bytes.write(0);
    }
    return bytes.toByteArray();
  }

  private static String base85(byte[] data) {
    StringBuilder text = new StringBuilder();
    ByteBuffer words = ByteBuffer.wrap(data);
    while (words.hasRemaining()) {
      long word = words.getInt() & 0xFFFF_FFFFL;
      for (long divisor = 85L * 85 * 85 * 85; divisor > 0; divisor /= 85) {
        text.append(DIGITS.charAt((int) (word / divisor % 85)));
      }
    }
    return text.toString();
  }

  @Override
  public void stop() {
    if (store != null) {
      store.close();
    }
  }
}
