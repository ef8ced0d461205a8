package dev.penstock.testing;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/// Tables of random values, and Parquet files of them written by parquet-java.
///
/// The values are in the form of [TestRows].
public final class TestTables {
  /// A type of column.
  ///
  /// @param declaration Parquet's type, `%s` standing for the name
  /// @param type ours
  /// @param make makes a random value
  /// @param write adds a value to a group at an index
  record Kind(String declaration, DataType type, Function<Random, Object> make, Writer write) {}

  interface Writer {
    void write(Group group, int column, Object value);
  }

  /// A table.
  ///
  /// @param schema its columns
  /// @param message the same as Parquet's schema
  /// @param columns by column, the values
  /// @param rows how many
  public record Table(
      Schema schema, MessageType message, List<List<@Nullable Object>> columns, int rows) {
    /// Returns the values of a column, or of a part of a struct by its path.
    public List<@Nullable Object> values(String path) {
      String[] names = path.split("\\.", -1);
      List<@Nullable Object> values = new ArrayList<>();
      for (Object row : columns.get(schema.indexOf(names[0]))) {
        Object value = row;
        for (int i = 1; i < names.length && value != null; i++) {
          value = ((Map<?, ?>) value).get(names[i]);
        }
        values.add(value);
      }
      return values;
    }
  }

  /// How a file is written.
  ///
  /// @param codec its compression
  /// @param v2 whether it has data pages of version 2
  /// @param dictionary whether it uses dictionaries
  /// @param dictionaryBytes the size at which it gives them up
  /// @param pageRows the most rows of a page
  /// @param groupRows the most rows of a row group
  /// @param crc whether pages have checksums
  /// @param encodings how values are encoded where there is no dictionary
  public record Layout(
      CompressionCodecName codec,
      boolean v2,
      boolean dictionary,
      int dictionaryBytes,
      int pageRows,
      int groupRows,
      boolean crc,
      TestEncodings encodings) {
    /// Makes a layout with plain values.
    public Layout(
        CompressionCodecName codec,
        boolean v2,
        boolean dictionary,
        int dictionaryBytes,
        int pageRows,
        int groupRows,
        boolean crc) {
      this(codec, v2, dictionary, dictionaryBytes, pageRows, groupRows, crc, TestEncodings.PLAIN);
    }

    /// Returns the same layout with pages that have no checksums.
    public Layout withoutChecksums() {
      return new Layout(
          codec, v2, dictionary, dictionaryBytes, pageRows, groupRows, false, encodings);
    }

    /// Returns any layout for a table of so many rows.
    public static Layout random(Random random, int rows) {
      CompressionCodecName[] codecs = {
        CompressionCodecName.UNCOMPRESSED,
        CompressionCodecName.SNAPPY,
        CompressionCodecName.GZIP,
        CompressionCodecName.ZSTD,
        CompressionCodecName.LZ4_RAW,
        CompressionCodecName.LZ4
      };
      return new Layout(
          codecs[random.nextInt(codecs.length)],
          random.nextBoolean(),
          random.nextInt(3) > 0,
          random.nextBoolean() ? 1 << 20 : 64 + random.nextInt(2000),
          1 + random.nextInt(1 + random.nextInt(rows + 1)),
          1 + random.nextInt(1 + random.nextInt(2 * rows + 1)) + rows / 20,
          random.nextBoolean(),
          TestEncodings.random(random));
    }
  }

  static final List<Kind> KINDS = kinds();

  private TestTables() {}

  /// Makes a table with columns of any types.
  public static Table random(Random random, int columns, int rows) {
    List<Field> fields = new ArrayList<>();
    List<List<@Nullable Object>> values = new ArrayList<>();
    StringBuilder message = new StringBuilder("message table {");
    for (int c = 0; c < columns; c++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      boolean nullable = random.nextInt(3) > 0;
      fields.add(new Field("c" + c, kind.type, nullable));
      message.append(nullable ? " optional " : " required ");
      message.append(String.format(kind.declaration, "c" + c)).append(';');
      values.add(column(random, kind, nullable, rows));
    }
    MessageType type = MessageTypeParser.parseMessageType(message + " }");
    return new Table(Schema.of(fields), type, values, rows);
  }

  /// Writes a table as a Parquet file.
  public static void write(Table table, Layout layout, Path path) throws IOException {
    write(table, layout, path, builder -> {});
  }

  /// Writes a table as a Parquet file.
  ///
  /// @param options sets more of the writer than the layout says
  public static void write(
      Table table, Layout layout, Path path, Consumer<ExampleParquetWriter.Builder> options)
      throws IOException {
    List<Writer> writers = new ArrayList<>();
    for (int c = 0; c < table.columns.size(); c++) {
      writers.add(writer(table, c));
    }
    write(table, writers, layout, path, options);
  }

  /// Writes a table as a Parquet file, each column by its writer.
  static void write(
      Table table,
      List<? extends Writer> writers,
      Layout layout,
      Path path,
      Consumer<ExampleParquetWriter.Builder> options)
      throws IOException {
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withType(table.message)
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withCompressionCodec(layout.codec)
            .withWriterVersion(layout.v2 ? WriterVersion.PARQUET_2_0 : WriterVersion.PARQUET_1_0)
            .withDictionaryEncoding(layout.dictionary)
            .withDictionaryPageSize(layout.dictionaryBytes)
            .withPageRowCountLimit(layout.pageRows)
            .withRowGroupRowCountLimit(layout.groupRows)
            .withPageWriteChecksumEnabled(layout.crc);
    if (layout.encodings == TestEncodings.SPLIT) {
      builder.withByteStreamSplitEncoding(true);
    }
    useEncodings(builder, layout.encodings.factory(table.rows));
    options.accept(builder);
    try (ParquetWriter<Group> writer = builder.build()) {
      for (int row = 0; row < table.rows; row++) {
        Group group = new SimpleGroup(table.message);
        for (int c = 0; c < table.columns.size(); c++) {
          Object value = table.columns.get(c).get(row);
          if (value != null) {
            writers.get(c).write(group, c, value);
          }
        }
        writer.write(group);
      }
    }
  }

  private static Writer writer(Table table, int column) {
    String declaration = table.message.getType(column).toString();
    String bare = declaration.replaceFirst("^(optional|required) ", "");
    return KINDS.stream()
        .filter(kind -> same(kind, bare, column))
        .findFirst()
        .orElseThrow(() -> new AssertionError(bare))
        .write;
  }

  private static boolean same(Kind kind, String declaration, int column) {
    String text = "message m { optional " + String.format(kind.declaration, "c" + column) + "; }";
    String canonical = MessageTypeParser.parseMessageType(text).getType(0).toString();
    return canonical.equals("optional " + declaration);
  }

  /// Encodings usually come with the version of the pages; this chooses them apart from it.
  private static void useEncodings(
      ExampleParquetWriter.Builder builder, ValuesWriterFactory factory) {
    try {
      var field = ParquetWriter.Builder.class.getDeclaredField("encodingPropsBuilder");
      field.setAccessible(true);
      ((ParquetProperties.Builder) field.get(builder)).withValuesWriterFactory(factory);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("parquet-java has changed", e);
    }
  }

  private static List<@Nullable Object> column(
      Random random, Kind kind, boolean nullable, int rows) {
    double nulls =
        switch (nullable ? random.nextInt(5) : 0) {
          case 1 -> 0.02;
          case 2 -> 0.5;
          case 3 -> 0.98;
          case 4 -> 1;
          default -> 0;
        };
    int distinct = 1 << random.nextInt(14);
    List<Object> pool = new ArrayList<>();
    for (int i = 0; i < Math.min(distinct, rows + 1); i++) {
      pool.add(kind.make.apply(random));
    }
    int runLength = 1 + random.nextInt(random.nextBoolean() ? 1 : 50);
    List<@Nullable Object> values = new ArrayList<>();
    while (values.size() < rows) {
      Object value = random.nextDouble() < nulls ? null : pool.get(random.nextInt(pool.size()));
      for (int i = random.nextInt(runLength); i >= 0 && values.size() < rows; i--) {
        values.add(value);
      }
    }
    return values;
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    kinds.add(
        new Kind(
            "boolean %s",
            new DataType.Bool(),
            Random::nextBoolean,
            (group, c, value) -> group.add(c, (Boolean) value)));
    for (int bits = 8; bits <= 32; bits *= 2) {
      int shift = 64 - bits;
      kinds.add(int32("INTEGER(" + bits + ",true)", new DataType.Int(bits, true), shift, true));
      kinds.add(int32("INTEGER(" + bits + ",false)", new DataType.Int(bits, false), shift, false));
    }
    kinds.add(int32("INT_8", new DataType.Int(8, true), 56, true));
    kinds.add(int32("UINT_16", new DataType.Int(16, false), 48, false));
    kinds.add(int32("DATE", new DataType.Date(), 32, true));
    kinds.add(int32("TIME(MILLIS,true)", new DataType.Time(TimeUnit.MILLIS, true), 37, false));
    kinds.add(int64("INTEGER(64,true)", new DataType.Int(64, true)));
    kinds.add(int64("INTEGER(64,false)", new DataType.Int(64, false)));
    kinds.add(int64("UINT_64", new DataType.Int(64, false)));
    kinds.add(int64("TIME(MICROS,false)", new DataType.Time(TimeUnit.MICROS, false)));
    kinds.add(int64("TIME(NANOS,true)", new DataType.Time(TimeUnit.NANOS, true)));
    kinds.add(int64("TIMESTAMP(MILLIS,true)", new DataType.Timestamp(TimeUnit.MILLIS, true)));
    kinds.add(int64("TIMESTAMP(MICROS,false)", new DataType.Timestamp(TimeUnit.MICROS, false)));
    kinds.add(int64("TIMESTAMP(NANOS,true)", new DataType.Timestamp(TimeUnit.NANOS, true)));
    kinds.add(int64("TIMESTAMP_MICROS", new DataType.Timestamp(TimeUnit.MICROS, true)));
    kinds.add(plain("int32 %s", new DataType.Int(32, true), 32));
    kinds.add(plain("int64 %s", new DataType.Int(64, true), 64));
    kinds.add(
        new Kind(
            "float %s",
            new DataType.Floating(32),
            random -> random.nextFloat() - 0.5f,
            (group, c, value) -> group.add(c, (Float) value)));
    kinds.add(
        new Kind(
            "double %s",
            new DataType.Floating(64),
            Random::nextGaussian,
            (group, c, value) -> group.add(c, (Double) value)));
    kinds.add(
        new Kind(
            "int96 %s",
            new DataType.Timestamp(TimeUnit.NANOS, false),
            Random::nextLong,
            (group, c, value) -> group.add(c, int96((Long) value))));
    kinds.add(
        new Kind(
            "fixed_len_byte_array(2) %s (FLOAT16)",
            new DataType.Floating(16),
            random -> (long) random.nextInt(1 << 16),
            (group, c, value) -> group.add(c, float16((Long) value))));
    addDecimals(kinds);
    addBytes(kinds);
    return List.copyOf(kinds);
  }

  private static void addDecimals(List<Kind> kinds) {
    for (int precision : new int[] {3, 9}) {
      kinds.add(
          new Kind(
              "int32 %s (DECIMAL(" + precision + ",2))",
              new DataType.Decimal(precision, 2),
              random -> unscaled(random, precision),
              (group, c, value) -> group.add(c, ((BigInteger) value).intValueExact())));
    }
    kinds.add(
        new Kind(
            "int64 %s (DECIMAL(18,5))",
            new DataType.Decimal(18, 5),
            random -> unscaled(random, 18),
            (group, c, value) -> group.add(c, ((BigInteger) value).longValueExact())));
    for (int precision : new int[] {7, 18, 19, 38, 50, 76}) {
      int length = BigInteger.TEN.pow(precision).bitLength() / 8 + 1;
      kinds.add(
          new Kind(
              "binary %s (DECIMAL(" + precision + ",3))",
              new DataType.Decimal(precision, 3),
              random -> unscaled(random, precision),
              (group, c, value) -> group.add(c, bytes(((BigInteger) value).toByteArray()))));
      for (int extra : new int[] {0, 3}) {
        int width = length + extra;
        kinds.add(
            new Kind(
                "fixed_len_byte_array(" + width + ") %s (DECIMAL(" + precision + ",0))",
                new DataType.Decimal(precision, 0),
                random -> unscaled(random, precision),
                (group, c, value) -> group.add(c, bytes(extend((BigInteger) value, width)))));
      }
    }
  }

  private static void addBytes(List<Kind> kinds) {
    for (String annotation : List.of("(STRING)", "(UTF8)", "(ENUM)", "(JSON)")) {
      kinds.add(
          new Kind(
              "binary %s " + annotation,
              new DataType.Utf8(),
              TestTables::text,
              (group, c, value) ->
                  group.add(c, bytes(((String) value).getBytes(StandardCharsets.UTF_8)))));
    }
    for (String annotation : List.of("", "(BSON)")) {
      kinds.add(
          new Kind(
              "binary %s " + annotation,
              new DataType.Binary(),
              random -> hex(random, random.nextInt(40)),
              TestTables::addHex));
    }
    for (int width : new int[] {1, 2, 3, 4, 8, 16, 17, 100}) {
      kinds.add(
          new Kind(
              "fixed_len_byte_array(" + width + ") %s",
              new DataType.FixedBinary(width),
              random -> hex(random, width),
              TestTables::addHex));
    }
    kinds.add(
        new Kind(
            "fixed_len_byte_array(16) %s (UUID)",
            new DataType.Uuid(), random -> hex(random, 16), TestTables::addHex));
    kinds.add(
        new Kind(
            "fixed_len_byte_array(12) %s (INTERVAL)",
            new DataType.Interval(), random -> hex(random, 12), TestTables::addHex));
  }

  private static Kind int32(String annotation, DataType type, int shift, boolean signed) {
    return new Kind(
        "int32 %s (" + annotation + ")",
        type,
        random -> signed ? random.nextLong() >> shift : random.nextLong() >>> shift,
        (group, c, value) -> group.add(c, ((Long) value).intValue()));
  }

  private static Kind int64(String annotation, DataType type) {
    return plain("int64 %s (" + annotation + ")", type, 64);
  }

  private static Kind plain(String declaration, DataType type, int bits) {
    return new Kind(
        declaration,
        type,
        random -> random.nextLong() >> (64 - bits),
        bits == 64
            ? (group, c, value) -> group.add(c, (long) (Long) value)
            : (group, c, value) -> group.add(c, ((Long) value).intValue()));
  }

  private static void addHex(Group group, int column, Object value) {
    group.add(column, bytes(HexFormat.of().parseHex((String) value)));
  }

  private static String hex(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(20);
    for (int i = 0; i < length; i++) {
      text.append(random.nextInt(8) == 0 ? 'ü' : (char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private static BigInteger unscaled(Random random, int precision) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    BigInteger value = new BigInteger(limit.bitLength(), random).mod(limit);
    return random.nextBoolean() ? value : value.negate();
  }

  private static byte[] extend(BigInteger value, int width) {
    byte[] bytes = value.toByteArray();
    byte[] wide = new byte[width];
    java.util.Arrays.fill(wide, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, wide, width - bytes.length, bytes.length);
    return wide;
  }

  private static Binary bytes(byte[] bytes) {
    return Binary.fromConstantByteArray(bytes);
  }

  private static Binary int96(long nanos) {
    long perDay = 86_400_000_000_000L;
    ByteBuffer buffer = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(Math.floorMod(nanos, perDay));
    buffer.putInt((int) Math.floorDiv(nanos, perDay) + 2_440_588);
    return bytes(buffer.array());
  }

  private static Binary float16(long bits) {
    return bytes(new byte[] {(byte) bits, (byte) (bits >> 8)});
  }
}
