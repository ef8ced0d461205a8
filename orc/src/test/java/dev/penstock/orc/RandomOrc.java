package dev.penstock.orc;

import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.common.type.HiveDecimal;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.jspecify.annotations.Nullable;

/// Files of random rows, written by ORC's own writer; the values are in the form of
/// [dev.penstock.testing.TestRows].
@SuppressWarnings("ArrayRecordComponent") // never compared
record RandomOrc(byte[] bytes, List<List<@Nullable Object>> columns, TypeDescription type) {
  private static final String NAME = "random.orc";
  private static final String[] LEAVES = {
    "boolean",
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "float",
    "double",
    "string",
    "char(7)",
    "varchar(5)",
    "binary",
    "date",
    "timestamp",
    "timestamp with local time zone",
    "decimal(9,2)",
    "decimal(18,5)",
    "decimal(38,10)"
  };
  static final CompressionKind[] CODECS = {
    CompressionKind.NONE,
    CompressionKind.ZLIB,
    CompressionKind.SNAPPY,
    CompressionKind.ZSTD,
    CompressionKind.LZ4
  };

  /// Changes how a file is written.
  interface Writing {
    OrcFile.WriterOptions of(OrcFile.WriterOptions options);
  }

  /// Makes any type.
  static String type(Random random, int nesting) {
    return switch (nesting == 0 ? 9 : random.nextInt(10)) {
      case 0, 1 -> "array<" + type(random, nesting - 1) + ">";
      case 2 -> "map<" + type(random, 0) + "," + type(random, nesting - 1) + ">";
      case 3 -> "struct<f0:" + type(random, nesting - 1) + ",f1:" + type(random, nesting - 1) + ">";
      default -> LEAVES[random.nextInt(LEAVES.length)];
    };
  }

  static RandomOrc write(Path folder, Random random, int rows) throws IOException {
    return write(folder, random, rows, type(random));
  }

  /// Writes a file of one stripe. Of others, what ends with a stripe is a file as well.
  static RandomOrc writeStripe(Path folder, Random random, int rows) throws IOException {
    CompressionKind codec = CODECS[random.nextInt(CODECS.length)];
    return writeStripe(folder, random, rows, type(random), codec);
  }

  static RandomOrc writeStripe(
      Path folder, Random random, int rows, String type, CompressionKind codec) throws IOException {
    TypeDescription schema = TypeDescription.fromString(type);
    var columns = columns(random, rows, schema);
    return write(folder, random, schema, columns, rows + 1, options -> options.compress(codec));
  }

  private static String type(Random random) {
    StringBuilder text = new StringBuilder("struct<");
    for (int c = 0; c <= random.nextInt(6); c++) {
      text.append(c == 0 ? "" : ",").append("c" + c).append(":").append(type(random, 2));
    }
    return text + ">";
  }

  static RandomOrc write(Path folder, Random random, int rows, String type) throws IOException {
    return write(folder, random, rows, type, CODECS[random.nextInt(CODECS.length)]);
  }

  static RandomOrc write(Path folder, Random random, int rows, String type, CompressionKind codec)
      throws IOException {
    TypeDescription schema = TypeDescription.fromString(type);
    var columns = columns(random, rows, schema);
    return write(folder, random, schema, columns, options -> options.compress(codec));
  }

  private static List<List<@Nullable Object>> columns(
      Random random, int rows, TypeDescription schema) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (TypeDescription part : schema.getChildren()) {
      int nulls = new int[] {0, 0, 5, 50, 100}[random.nextInt(5)];
      List<@Nullable Object> column = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        column.add(random.nextInt(100) < nulls ? null : value(random, part));
      }
      columns.add(column);
    }
    return columns;
  }

  /// Writes given rows.
  ///
  /// @param options changes how; else what readers have to notice is random
  static RandomOrc write(
      Path folder,
      Random random,
      TypeDescription schema,
      List<List<@Nullable Object>> columns,
      Writing options)
      throws IOException {
    int stripe = 1 + random.nextInt(columns.getFirst().size() + 1);
    return write(folder, random, schema, columns, stripe, options);
  }

  /// @param stripe how many rows a stripe has
  static RandomOrc write(
      Path folder,
      Random random,
      TypeDescription schema,
      List<List<@Nullable Object>> columns,
      int stripe,
      Writing options)
      throws IOException {
    Configuration none = new Configuration(false);
    int rows = columns.getFirst().size();
    try (Writer writer =
        OrcFile.createWriter(
            path(folder),
            options.of(
                OrcFile.writerOptions(none)
                    .setSchema(schema)
                    .fileSystem(local())
                    .overwrite(true)
                    .useUTCTimestamp(true)
                    .setProlepticGregorian(true)
                    .bufferSize(random.nextBoolean() ? 1024 : 256 << 10)
                    .enforceBufferSize()
                    .rowIndexStride(random.nextInt(3) == 0 ? 0 : 1000 + random.nextInt(500))))) {
      VectorizedRowBatch batch = schema.createRowBatch(1000);
      for (int row = 0; row < rows; row++) {
        for (int c = 0; c < columns.size(); c++) {
          TypeDescription part = schema.getChildren().get(c);
          set(batch.cols[c], batch.size, part, columns.get(c).get(row));
        }
        batch.size++;
        if (batch.size == batch.getMaxSize() || row % stripe == stripe - 1) {
          writer.addRowBatch(batch);
          batch.reset();
          if (row % stripe == stripe - 1) {
            writer.writeIntermediateFooter(); // ends the stripe
          }
        }
      }
      writer.addRowBatch(batch);
    }
    byte[] bytes = Files.readAllBytes(folder.resolve(NAME));
    return new RandomOrc(bytes, columns, schema);
  }

  private static org.apache.hadoop.fs.Path path(Path folder) {
    return new org.apache.hadoop.fs.Path(folder.resolve(NAME).toUri());
  }

  static FileSystem local() throws IOException {
    FileSystem local = new RawLocalFileSystem();
    local.initialize(URI.create("file:///"), new Configuration(false));
    return local;
  }

  /// Reads what was written last with ORC's own reader, columns without parts only.
  static List<List<@Nullable Object>> readByOrc(Path folder) throws IOException {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    OrcFile.ReaderOptions options =
        OrcFile.readerOptions(new Configuration(false))
            .filesystem(local())
            .useUTCTimestamp(true)
            .convertToProlepticGregorian(true);
    try (Reader reader = OrcFile.createReader(path(folder), options);
        RecordReader rows = reader.rows()) {
      List<TypeDescription> types = reader.getSchema().getChildren();
      types.forEach(_ -> columns.add(new ArrayList<>()));
      VectorizedRowBatch batch = reader.getSchema().createRowBatchV2();
      while (rows.nextBatch(batch)) {
        for (int c = 0; c < types.size(); c++) {
          for (int row = 0; row < batch.size; row++) {
            columns.get(c).add(get(batch.cols[c], row, types.get(c)));
          }
        }
      }
    }
    return columns;
  }

  private static @Nullable Object get(ColumnVector vector, int index, TypeDescription type) {
    int row = vector.isRepeating ? 0 : index;
    if (!vector.noNulls && vector.isNull[row]) {
      return null;
    }
    return switch (vector) {
      case TimestampColumnVector times ->
          Math.floorDiv(times.time[row], 1000L) * 1_000_000_000L + times.nanos[row];
      case LongColumnVector numbers ->
          type.getCategory() == TypeDescription.Category.BOOLEAN
              ? numbers.vector[row] != 0
              : (Object) numbers.vector[row];
      case DoubleColumnVector numbers ->
          type.getCategory() == TypeDescription.Category.FLOAT
              ? (float) numbers.vector[row]
              : (Object) numbers.vector[row];
      case BytesColumnVector texts ->
          type.getCategory() == TypeDescription.Category.BINARY
              ? HexFormat.of()
                  .formatHex(
                      texts.vector[row], texts.start[row], texts.start[row] + texts.length[row])
              : texts.toString(row);
      default -> throw new AssertionError(vector.type);
    };
  }

  private static @Nullable Object nullable(Random random, TypeDescription type) {
    return random.nextInt(5) == 0 ? null : value(random, type);
  }

  private static Object value(Random random, TypeDescription type) {
    boolean small = random.nextInt(3) > 0; // runs of equal values, and extremes
    return switch (type.getCategory()) {
      case BOOLEAN -> random.nextBoolean();
      case BYTE -> small ? random.nextInt(3) : (long) (byte) random.nextInt();
      case SHORT -> small ? random.nextInt(3) : (long) (short) random.nextInt();
      case INT -> small ? random.nextInt(3) : (long) random.nextInt();
      case LONG -> small ? random.nextInt(3) : random.nextLong();
      case FLOAT -> random.nextInt(9) == 0 ? Float.NaN : (Object) (random.nextFloat() - 0.5f);
      case DOUBLE -> random.nextInt(9) == 0 ? -0.0 : (Object) random.nextGaussian();
      case STRING, VARCHAR, CHAR -> "ab\u00df".repeat(3).substring(0, random.nextInt(5));
      case BINARY, Geometry, Geography -> HexFormat.of().toHexDigits((short) random.nextInt());
      case DATE -> random.nextLong(-140_000, 100_000);
      case TIMESTAMP, TIMESTAMP_INSTANT -> random.nextLong(-8L << 60, 8L << 59);
      case DECIMAL -> new BigInteger(3 * type.getPrecision(), random).subtract(BigInteger.TEN);
      case LIST -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(nullable(random, type.getChildren().getFirst()));
        }
        yield list;
      }
      case MAP -> {
        List<@Nullable Object> map = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          List<@Nullable Object> pair = new ArrayList<>();
          pair.add(value(random, type.getChildren().getFirst()));
          pair.add(nullable(random, type.getChildren().getLast()));
          map.add(pair);
        }
        yield map;
      }
      case STRUCT -> {
        Map<String, @Nullable Object> struct = new LinkedHashMap<>();
        for (int i = 0; i < type.getChildren().size(); i++) {
          struct.put(type.getFieldNames().get(i), nullable(random, type.getChildren().get(i)));
        }
        yield struct;
      }
      case UNION -> throw new AssertionError();
    };
  }

  private static void set(ColumnVector vector, int row, TypeDescription type, @Nullable Object v) {
    if (v == null) {
      vector.noNulls = false;
      vector.isNull[row] = true;
      return;
    }
    vector.isNull[row] = false;
    List<TypeDescription> parts = type.getChildren();
    switch (vector) {
      case TimestampColumnVector times -> {
        long nanos = (Long) v;
        times.time[row] = Math.floorDiv(nanos, 1_000_000);
        times.nanos[row] = Math.floorMod(nanos, 1_000_000_000);
      }
      case DecimalColumnVector decimals ->
          decimals.set(row, HiveDecimal.create((BigInteger) v, type.getScale()));
      case LongColumnVector numbers ->
          numbers.vector[row] =
              v instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) v).longValue();
      case DoubleColumnVector numbers -> numbers.vector[row] = ((Number) v).doubleValue();
      case BytesColumnVector texts -> {
        boolean binary = type.getCategory() == TypeDescription.Category.BINARY;
        byte[] bytes =
            binary
                ? HexFormat.of().parseHex((String) v)
                : ((String) v).getBytes(StandardCharsets.UTF_8);
        texts.setVal(row, bytes);
      }
      case ListColumnVector lists -> {
        List<?> list = (List<?>) v;
        lists.offsets[row] = lists.childCount;
        lists.lengths[row] = list.size();
        lists.childCount += list.size();
        lists.child.ensureSize(lists.childCount, true);
        for (int i = 0; i < list.size(); i++) {
          set(lists.child, (int) lists.offsets[row] + i, parts.getFirst(), list.get(i));
        }
      }
      case MapColumnVector maps -> {
        List<?> list = (List<?>) v;
        maps.offsets[row] = maps.childCount;
        maps.lengths[row] = list.size();
        maps.childCount += list.size();
        maps.keys.ensureSize(maps.childCount, true);
        maps.values.ensureSize(maps.childCount, true);
        for (int i = 0; i < list.size(); i++) {
          List<?> pair = (List<?>) list.get(i);
          set(maps.keys, (int) maps.offsets[row] + i, parts.getFirst(), pair.get(0));
          set(maps.values, (int) maps.offsets[row] + i, parts.getLast(), pair.get(1));
        }
      }
      case StructColumnVector structs -> {
        for (int i = 0; i < parts.size(); i++) {
          set(
              structs.fields[i],
              row,
              parts.get(i),
              ((Map<?, ?>) v).get(type.getFieldNames().get(i)));
        }
      }
      default -> throw new AssertionError(vector.type);
    }
  }
}
