package dev.penstock.score.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PartFileTest {
  @TempDir Path folder;

  /// Three values of a type, as they are appended and as [ReadBack] gives them.
  record Example(DataType type, Object values, List<?> expected) {
    @Override
    public String toString() {
      return type.toString();
    }
  }

  static List<Example> examples() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    UUID high = new UUID(-1, Long.MIN_VALUE);
    String most = "9".repeat(38);
    return List.of(
        new Example(DataType.bool(), bools(true, false, true), List.of(true, false, true)),
        new Example(DataType.int8(), bytes(DType.INT8, -128, 0, 127), List.of(-128L, 0L, 127L)),
        new Example(
            new DataType.Int(8, false), bytes(DType.UINT8, 0, 127, 255), List.of(0L, 127L, 255L)),
        new Example(
            DataType.int16(),
            Tensor.of(new short[] {-32768, 0, 32767}),
            List.of(-32768L, 0L, 32767L)),
        new Example(
            new DataType.Int(16, false),
            tensor(DType.UINT16, MemorySegment.ofArray(new short[] {0, 1, -1})),
            List.of(0L, 1L, 65535L)),
        new Example(
            DataType.int32(),
            Tensor.of(new int[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE}),
            List.of((long) Integer.MIN_VALUE, 0L, (long) Integer.MAX_VALUE)),
        new Example(
            new DataType.Int(32, false),
            tensor(DType.UINT32, MemorySegment.ofArray(new int[] {0, 1, -1})),
            List.of(0L, 1L, 0xFFFF_FFFFL)),
        new Example(
            DataType.int64(),
            Tensor.of(new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}),
            List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE)),
        new Example(
            new DataType.Int(64, false),
            tensor(DType.UINT64, MemorySegment.ofArray(new long[] {0, 1, -1})),
            List.of(0L, 1L, -1L)),
        new Example(
            DataType.float16(),
            tensor(DType.FLOAT16, MemorySegment.ofArray(new short[] {0x3C00, (short) 0x8000, 1})),
            List.of(0x3C00L, 0x8000L, 1L)),
        new Example(
            DataType.float32(),
            Tensor.of(new float[] {Float.NaN, -0f, Float.NEGATIVE_INFINITY}),
            List.of(Float.NaN, -0f, Float.NEGATIVE_INFINITY)),
        new Example(
            DataType.float64(),
            Tensor.of(new double[] {Double.NaN, -0.0, Double.MIN_VALUE}),
            List.of(Double.NaN, -0.0, Double.MIN_VALUE)),
        new Example(DataType.date(), Tensor.of(new int[] {-1, 0, 20000}), List.of(-1L, 0L, 20000L)),
        new Example(
            new DataType.Time(TimeUnit.MILLIS, true),
            Tensor.of(new int[] {0, 1, 86_399_999}),
            List.of(0L, 1L, 86_399_999L)),
        new Example(
            new DataType.Time(TimeUnit.NANOS, false),
            Tensor.of(new long[] {0, 1, 86_399_999_999_999L}),
            List.of(0L, 1L, 86_399_999_999_999L)),
        new Example(
            new DataType.Timestamp(TimeUnit.MILLIS, false),
            Tensor.of(new long[] {-1, 0, 1}),
            List.of(-1L, 0L, 1L)),
        new Example(
            new DataType.Timestamp(TimeUnit.MICROS, true),
            Tensor.of(new long[] {Long.MIN_VALUE, 0, 1}),
            List.of(Long.MIN_VALUE, 0L, 1L)),
        new Example(
            new DataType.Timestamp(TimeUnit.NANOS, true),
            Tensor.of(new long[] {-1, 0, Long.MAX_VALUE}),
            List.of(-1L, 0L, Long.MAX_VALUE)),
        new Example(
            new DataType.Decimal(9, 2),
            decimals("-9999999.99", "0E+20", "1.500"),
            List.of(new BigInteger("-999999999"), BigInteger.ZERO, BigInteger.valueOf(150))),
        new Example(
            new DataType.Decimal(18, 0),
            decimals("-" + "9".repeat(18), "1E+17", "7"),
            List.of(
                new BigInteger("-" + "9".repeat(18)),
                BigInteger.TEN.pow(17),
                BigInteger.valueOf(7))),
        new Example(
            new DataType.Decimal(38, 38),
            decimals("-0." + most, "0", "1E-38"),
            List.of(new BigInteger("-" + most), BigInteger.ZERO, BigInteger.ONE)),
        new Example(
            DataType.string(),
            List.of("", "ü\ud83d\ude00", "x".repeat(100_000)),
            List.of("", "ü\ud83d\ude00", "x".repeat(100_000))),
        new Example(
            new DataType.Binary(),
            List.of(new byte[0], new byte[] {0, -1}, new byte[] {1}),
            List.of("", "00ff", "01")),
        new Example(
            new DataType.FixedBinary(2),
            List.of(new byte[2], new byte[] {0, -1}, new byte[] {-128, 127}),
            List.of("0000", "00ff", "807f")),
        new Example(
            new DataType.Uuid(),
            List.of(uuid, high, new UUID(0, 0)),
            List.of(
                "00112233445566778899aabbccddeeff",
                "f".repeat(16) + "8" + "0".repeat(15),
                "0".repeat(32))),
        new Example(
            new DataType.List(DataType.float32(), false),
            Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2),
            List.of(List.of(1f, 2f), List.of(3f, 4f), List.of(5f, 6f))),
        new Example(
            new DataType.List(DataType.bool(), false),
            Tensor.of(DType.BOOL, Shape.of(3, 0), MemorySegment.ofArray(new byte[0])),
            List.of(List.of(), List.of(), List.of())),
        new Example(
            new DataType.List(new DataType.Timestamp(TimeUnit.MICROS, true), false),
            RaggedTensor.of(Tensor.of(new long[] {7, 8, 9}), Tensor.of(new long[] {0, 0, 2, 3})),
            List.of(List.of(), List.of(7L, 8L), List.of(9L))));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void valuesOfEachTypeComeBack(Example example) throws IOException {
    var columns =
        List.of(
            new OutputColumn("each", example.type(), false),
            new OutputColumn("some", example.type(), true));
    PartFile part = part(columns);
    part.append(
        3,
        List.of(
            new Values(example.values()), new Values(example.values(), bools(true, false, true))));
    List<@Nullable Object> some = new ArrayList<>(example.expected());
    some.set(1, null);
    requireSame(part, columns, List.of(example.expected(), some));
  }

  @Seeded(runs = 30)
  void randomRowsComeBackHoweverTheyAreAppended(Random random) throws IOException {
    var columns =
        List.of(
            new OutputColumn("key", DataType.int64(), false),
            new OutputColumn("text", DataType.string(), true),
            new OutputColumn("score", DataType.float32(), true),
            new OutputColumn("list", new DataType.List(DataType.float64(), false), true));
    int rows = random.nextInt(1 + random.nextInt(60_000));
    Table table = Table.random(random, rows);
    byte[] file = write(columns, table, new Random(random.nextLong()));
    assertThat(write(columns, table, new Random(random.nextLong()))).isEqualTo(file);
    ReadBack.requireSame(folder.resolve("part.parquet"), file, columns, table.expected());
  }

  private static byte[] write(List<OutputColumn> columns, Table table, Random random)
      throws IOException {
    PartFile part = part(columns);
    int rows = table.keys.length;
    for (int from = 0; from < rows; ) {
      int end = from + 1 + random.nextInt(Math.min(rows - from, 5000));
      part.append(end - from, table.values(from, end));
      from = end;
    }
    assertThat(part.rows()).isEqualTo(rows);
    return part.finish(Map.of());
  }

  /// Rows with and without nulls: bit 0 of a key says whether there is a score, bit 1 a list.
  private static final class Table {
    final long[] keys;
    final List<@Nullable String> texts;
    final float[] scores;
    final double[][] lists;

    Table(long[] keys, List<@Nullable String> texts, float[] scores, double[][] lists) {
      this.keys = keys;
      this.texts = texts;
      this.scores = scores;
      this.lists = lists;
    }

    static Table random(Random random, int rows) {
      List<@Nullable String> texts = new ArrayList<>();
      double[][] lists = new double[rows][];
      float[] scores = new float[rows];
      int words = 1 + random.nextInt(5000);
      int longest = 1 + random.nextInt(40);
      for (int i = 0; i < rows; i++) {
        texts.add(random.nextInt(9) == 0 ? null : "w" + random.nextInt(words));
        lists[i] = random.doubles(random.nextInt(longest)).toArray();
        scores[i] = random.nextFloat();
      }
      return new Table(random.longs(rows).toArray(), texts, scores, lists);
    }

    List<Values> values(int from, int end) {
      byte[] scored = new byte[end - from];
      byte[] listed = new byte[end - from];
      long[] offsets = new long[end - from + 1];
      for (int i = from; i < end; i++) {
        scored[i - from] = (byte) (keys[i] & 1);
        listed[i - from] = (byte) (keys[i] >> 1 & 1);
        offsets[i - from + 1] = offsets[i - from] + lists[i].length;
      }
      double[] elements = Arrays.stream(lists, from, end).flatMapToDouble(Arrays::stream).toArray();
      return List.of(
          new Values(Tensor.of(Arrays.copyOfRange(keys, from, end))),
          new Values(texts.subList(from, end)),
          new Values(Tensor.of(Arrays.copyOfRange(scores, from, end)), presence(scored)),
          new Values(RaggedTensor.of(Tensor.of(elements), Tensor.of(offsets)), presence(listed)));
    }

    List<List<?>> expected() {
      List<@Nullable Object> some = new ArrayList<>();
      List<@Nullable Object> nested = new ArrayList<>();
      for (int i = 0; i < keys.length; i++) {
        some.add((keys[i] & 1) == 0 ? null : (Object) scores[i]);
        nested.add((keys[i] & 2) == 0 ? null : Arrays.stream(lists[i]).boxed().toList());
      }
      return List.of(Arrays.stream(keys).boxed().toList(), texts, some, nested);
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyCodecIsReadBack(Codec codec) throws IOException {
    var columns = List.of(new OutputColumn("key", DataType.int64(), false));
    PartFile part = new PartFile(columns, codec);
    List<Long> keys = IntStream.range(0, 5000).mapToObj(i -> i % 7L).toList();
    part.append(5000, List.of(new Values(longs(keys))));
    requireSame(part, columns, List.of(keys));
  }

  @Test
  void emptyFileHasColumnsAndEntries() throws IOException {
    var columns = List.of(new OutputColumn("text", DataType.string(), true));
    PartFile part = new PartFile(columns, Codec.ZSTD);
    part.append(0, List.of(new Values(List.of())));
    Path path = folder.resolve("part.parquet");
    Files.write(path, part.finish(Map.of("range", "[0, 0)")));
    try (ParquetFileReader reader = JavaParquet.open(new LocalInputFile(path))) {
      assertThat(reader.getFileMetaData().getKeyValueMetaData()).containsEntry("range", "[0, 0)");
      assertThat(reader.getRowGroups()).isEmpty();
    }
  }

  @Test
  void loaderReadsWhatIsWritten() throws IOException {
    var columns =
        List.of(
            new OutputColumn("id", DataType.int32(), false),
            new OutputColumn("vector", new DataType.List(DataType.float32(), false), false));
    PartFile part = part(columns);
    part.append(
        2,
        List.of(
            new Values(Tensor.of(new int[] {5, 6})),
            new Values(Tensor.of(new float[] {1, 2, 3, 4}, 2, 2))));
    Path path = folder.resolve("part.parquet");
    Files.write(path, part.finish(Map.of()));
    try (DataLoader loader = DataLoader.of(new StructuredDataset(path.toString()))) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("id").toArray()).isEqualTo(new int[] {5, 6});
          assertThat(batch.tensor("vector").toArray()).isEqualTo(new float[] {1, 2, 3, 4});
        }
      }
    }
  }

  @Test
  void rowGroupsAreBoundedByRows() throws IOException {
    var columns = List.of(new OutputColumn("is", DataType.bool(), false));
    PartFile part = part(columns);
    int rows = 50_000;
    Values values = new Values(presence(new byte[rows]));
    for (int i = 0; i < 22; i++) {
      part.append(rows, List.of(values));
    }
    assertThat(groupRows(part)).containsExactly(1L << 20, 22L * rows - (1 << 20));
  }

  @Test
  void rowGroupsAndMemoryAreBoundedByBytes() throws IOException {
    var columns = List.of(new OutputColumn("text", new DataType.Binary(), false));
    PartFile part = new PartFile(columns, Codec.UNCOMPRESSED);
    byte[] text = new byte[1 << 20];
    Random random = new Random(1);
    for (int i = 0; i < 80; i++) {
      random.nextBytes(text);
      part.append(1, List.of(new Values(List.of(text))));
      assertThat(part.bytesHeld()).isBetween((long) i << 20, (i + 8L) << 20);
    }
    assertThat(groupRows(part)).hasSize(2).allMatch(rows -> rows < 70);
  }

  @Test
  void pagesOfLongListsAreSmall() throws IOException {
    var columns =
        List.of(new OutputColumn("vector", new DataType.List(DataType.float32(), false), false));
    PartFile part = new PartFile(columns, Codec.UNCOMPRESSED);
    int rows = 300;
    float[] elements = new float[rows * 4096]; // 4.9 MB
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i;
    }
    part.append(rows, List.of(new Values(Tensor.of(elements, rows, 4096))));
    Path path = folder.resolve("part.parquet");
    Files.write(path, part.finish(Map.of()));
    try (ParquetFileReader reader = JavaParquet.open(new LocalInputFile(path))) {
      var pages = reader.readOffsetIndex(reader.getRowGroups().getFirst().getColumns().getFirst());
      assertThat(pages.getPageCount()).isBetween(4, 8);
    }
  }

  @Test
  void whatIsAppendedMayBeChangedAfterwards() throws IOException {
    var columns =
        List.of(
            new OutputColumn("key", DataType.int64(), false),
            new OutputColumn("bytes", new DataType.Binary(), false));
    PartFile part = part(columns);
    long[] keys = {1, 2};
    byte[] bytes = {1};
    part.append(2, List.of(new Values(Tensor.of(keys)), new Values(List.of(bytes, bytes))));
    Arrays.fill(keys, 9);
    bytes[0] = 9;
    requireSame(part, columns, List.of(List.of(1L, 2L), List.of("01", "01")));
  }

  @Test
  void columnsOfOneValueMayHaveTwoAxes() throws IOException {
    var columns = List.of(new OutputColumn("score", DataType.float32(), false));
    PartFile part = part(columns);
    part.append(2, List.of(new Values(Tensor.of(new float[] {1, 2}, 2, 1))));
    requireSame(part, columns, List.of(List.of(1f, 2f)));
  }

  @Test
  void valuesThatDoNotFitNameColumnAndRow() {
    assertUnfit(
        DataType.string(),
        Arrays.asList("a", null),
        "has no value, but the column is not nullable.");
    assertUnfit(DataType.string(), List.of("a", 1), "has a Integer but expected a String.");
    assertUnfit(
        DataType.string(),
        List.of("a", "b\ud800"),
        "is not Unicode: half of a surrogate pair at index 1.");
    assertUnfit(
        DataType.string(),
        List.of("a", "\udc00\ud800"),
        "is not Unicode: half of a surrogate pair at index 0.");
    assertUnfit(
        new DataType.FixedBinary(2),
        List.of(new byte[2], new byte[3]),
        "has 3 bytes but expected 2.");
    assertUnfit(
        new DataType.Binary(), List.of(new byte[2], "b"), "has a String but expected a byte[].");
    assertUnfit(
        new DataType.Uuid(), List.of(new UUID(0, 0), "b"), "has a String but expected a UUID.");
    for (String number : List.of("1000", "0.01", "1E+999999999", "1E-999999999")) {
      assertUnfit(
          new DataType.Decimal(3, 1),
          decimals("99.9", number),
          "is " + new BigDecimal(number) + ", which does not fit decimal(3, 1).");
    }
  }

  private static void assertUnfit(DataType type, Object values, String found) {
    assertThatThrownBy(() ->
            part(List.of(new OutputColumn("c", type, false)))
                .append(2, List.of(new Values(values))))
        .isInstanceOfSatisfying(
            UnfitRowException.class,
            e -> {
              assertThat(e.column()).isEqualTo("c");
              assertThat(e.row()).isEqualTo(1);
            })
        .hasMessage("Cannot write column 'c': row 1 " + found);
  }

  @Test
  void nullInAColumnThatIsNotNullableIsRefused() {
    var values = new Values(Tensor.of(new float[] {1, 2}), bools(true, false));
    assertThatThrownBy(() ->
            part(List.of(new OutputColumn("c", DataType.float32(), false)))
                .append(2, List.of(values)))
        .isInstanceOf(UnfitRowException.class)
        .hasMessageContaining("row 1 has no value");
  }

  @Test
  void valuesOfAnotherFormAreRefused() {
    DataType floats = new DataType.List(DataType.float32(), false);
    assertMisfit(
        DataType.float32(), Tensor.of(new double[2]), "FLOAT64 [2] but expected FLOAT32 [2]");
    assertMisfit(
        DataType.float32(), Tensor.of(new float[3]), "FLOAT32 [3] but expected FLOAT32 [2]");
    assertMisfit(
        DataType.float32(),
        Tensor.of(new float[4], 2, 2),
        "FLOAT32 [2, 2] but expected FLOAT32 [2]");
    assertMisfit(DataType.float32(), "text", "String but expected FLOAT32 [2]");
    assertMisfit(
        floats,
        Tensor.of(new float[2]),
        "FLOAT32 [2] but expected FLOAT32 [2, n], or a RaggedTensor of 2 rows");
    assertMisfit(
        floats,
        RaggedTensor.of(Tensor.of(new float[2]), Tensor.of(new long[] {0, 2})),
        "ragged FLOAT32 of 1 rows but expected FLOAT32 [2, n], or a RaggedTensor of 2 rows");
    assertMisfit(
        DataType.string(), List.of("a"), "a list of 1 values but expected a list of 2 values");
    assertMisfit(
        DataType.string(), Tensor.of(new float[2]), "Tensor but expected a list of 2 values");
  }

  private static void assertMisfit(DataType type, Object values, String found) {
    assertThatThrownBy(() ->
            part(List.of(new OutputColumn("c", type, true))).append(2, List.of(new Values(values))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot write column 'c' of type " + type + ": found " + found + ".");
  }

  @Test
  void presenceOfAnotherFormIsRefused() {
    assertThatThrownBy(() ->
            part(List.of(new OutputColumn("c", DataType.float32(), true)))
                .append(2, List.of(new Values(Tensor.of(new float[2]), bools(true)))))
        .hasMessage(
            "Cannot write column 'c' of type float32: found presence BOOL [1] but expected BOOL"
                + " [2].");
  }

  @Test
  void partThatFailedOrIsFinishedCannotBeContinued() throws IOException {
    var columns = List.of(new OutputColumn("c", DataType.float32(), false));
    PartFile finished = part(columns);
    finished.finish(Map.of());
    PartFile failed = part(columns);
    assertThatThrownBy(() -> failed.append(1, List.of(new Values("x"))))
        .isInstanceOf(IllegalArgumentException.class);
    for (PartFile part : List.of(finished, failed)) {
      assertThatThrownBy(() -> part.append(0, List.of(new Values(Tensor.of(new float[0])))))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> part.finish(Map.of())).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void columnsThatCannotBeWrittenAreRefused() {
    for (DataType type :
        List.of(
            new DataType.Decimal(39, 0),
            new DataType.Interval(),
            new DataType.Variant(),
            new DataType.Map(DataType.string(), DataType.int32(), false),
            new DataType.List(DataType.string(), false),
            new DataType.List(DataType.int32(), true))) {
      assertThatThrownBy(() -> new OutputColumn("c", type, true))
          .hasMessageStartingWith("Cannot write column 'c': type " + type + " is not written.");
    }
    OutputColumn column = new OutputColumn("c", DataType.bool(), true);
    assertThatThrownBy(() -> part(List.of(column, column)))
        .hasMessage("Cannot write two columns named 'c'.");
    assertThatThrownBy(() -> part(List.of())).hasMessage("Cannot write a file without columns.");
  }

  private void requireSame(
      PartFile part, List<OutputColumn> columns, List<? extends List<?>> values)
      throws IOException {
    ReadBack.requireSame(folder.resolve("part.parquet"), part.finish(Map.of()), columns, values);
  }

  private List<Long> groupRows(PartFile part) throws IOException {
    Path path = folder.resolve("part.parquet");
    Files.write(path, part.finish(Map.of()));
    try (ParquetFileReader reader = JavaParquet.open(new LocalInputFile(path))) {
      return reader.getRowGroups().stream().map(group -> group.getRowCount()).toList();
    }
  }

  private static PartFile part(List<OutputColumn> columns) throws IOException {
    return new PartFile(columns, Codec.ZSTD);
  }

  private static Tensor bools(boolean... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return presence(bytes);
  }

  private static Tensor presence(byte[] bytes) {
    return Tensor.of(DType.BOOL, Shape.of(bytes.length), MemorySegment.ofArray(bytes));
  }

  private static Tensor bytes(DType dtype, int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return tensor(dtype, MemorySegment.ofArray(bytes));
  }

  private static Tensor tensor(DType dtype, MemorySegment memory) {
    return Tensor.of(dtype, Shape.of(memory.byteSize() / dtype.bytes()), memory);
  }

  private static Tensor longs(List<Long> values) {
    return Tensor.of(values.stream().mapToLong(Long::longValue).toArray());
  }

  private static List<BigDecimal> decimals(String... numbers) {
    return Arrays.stream(numbers).map(BigDecimal::new).toList();
  }
}
