package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetBloomFilterTest {
  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  private static Path shared(String name) {
    Path path =
        Path.of(System.getProperty("penstock.shared", ""), "data", "parquet-testing", "data", name);
    assumeTrue(Files.exists(path), () -> "No conformance file at " + path);
    return path;
  }

  private static boolean isUnique(Table table, int column) {
    PrimitiveTypeName physical =
        table.message().getType(column).asPrimitiveType().getPrimitiveTypeName();
    DataType type = table.schema().fields().get(column).type();
    boolean sizedDecimal = type instanceof DataType.Decimal && physical == PrimitiveTypeName.BINARY;
    return physical != PrimitiveTypeName.BOOLEAN
        && physical != PrimitiveTypeName.INT96
        && !(type instanceof DataType.Interval)
        && !(type instanceof DataType.Int(int bits, boolean _) && bits < 32)
        && !sizedDecimal;
  }

  private static void write(Table table, Path path, int groupRows) throws IOException {
    Layout layout =
        new Layout(
            CompressionCodecName.UNCOMPRESSED, false, false, 1, 100, Math.max(1, groupRows), false);
    TestTables.write(
        table,
        layout,
        path,
        builder -> {
          for (int c = 0; c < table.columns().size(); c++) {
            String name = table.schema().fields().get(c).name();
            boolean possible =
                table.message().getType(c).asPrimitiveType().getPrimitiveTypeName()
                    != PrimitiveTypeName.BOOLEAN;
            builder.withBloomFilterEnabled(name, possible);
            builder.withBloomFilterNDV(name, table.rows() + 1);
          }
        });
  }

  @Nested
  class Written {
    @Seeded(runs = 80)
    void noValueThatIsThereIsMissed(Random random) throws IOException {
      int rows = 1 + random.nextInt(600);
      Table table = TestTables.random(random, 1 + random.nextInt(6), rows);
      TestBounds.addExtremes(random, table);
      Path path = folder.resolve("table.parquet");
      write(table, path, rows);
      try (StorageFile file = new LocalStorage().open(Location.of(path));
          ParquetFileReader theirs = JavaParquet.open(new LocalInputFile(path))) {
        FileMetadata metadata = format.readMetadata(file);
        for (int c = 0; c < table.columns().size(); c++) {
          Field field = table.schema().fields().get(c);
          Optional<BloomFilter> filter = format.bloomFilter(file, metadata, 0, field.name());
          assertThat(filter.isPresent()).as("%s", field).isEqualTo(isUnique(table, c));
          if (filter.isPresent()) {
            for (Comparable<?> value : TestBounds.values(field.type(), table.columns().get(c))) {
              assertThat(filter.get().mightContain(value)).as("%s: %s", field, value).isTrue();
            }
            ColumnChunkMetaData chunk =
                theirs.getFooter().getBlocks().getFirst().getColumns().get(c);
            compareOthers(random, field.type(), theirs.readBloomFilter(chunk), filter.get());
          }
        }
      }
    }

    /// Asks both filters for values that are mostly not there.
    private void compareOthers(
        Random random,
        DataType type,
        org.apache.parquet.column.values.bloomfilter.BloomFilter theirs,
        BloomFilter ours)
        throws IOException {
      for (int i = 0; i < 50; i++) {
        long number = random.nextLong() >> random.nextInt(64);
        byte[] bytes = new byte[type.isVariableWidth() ? random.nextInt(60) : type.byteWidth()];
        random.nextBytes(bytes);
        Binary binary = Binary.fromConstantByteArray(bytes);
        switch (type) {
          case DataType.Int(int bits, boolean signed) when bits == 64 ->
              assertThat(ours.mightContain(signed ? (Comparable<?>) number : unsigned(number)))
                  .isEqualTo(theirs.findHash(theirs.hash(number)));
          case DataType.Int(int bits, boolean signed) when bits == 32 && signed ->
              assertThat(ours.mightContain((long) (int) number))
                  .isEqualTo(theirs.findHash(theirs.hash((int) number)));
          case DataType.Date _ ->
              assertThat(ours.mightContain((long) (int) number))
                  .isEqualTo(theirs.findHash(theirs.hash((int) number)));
          case DataType.Floating(int bits) when bits == 64 ->
              assertThat(ours.mightContain(number + 0.5))
                  .isEqualTo(theirs.findHash(theirs.hash(number + 0.5)));
          case DataType.Floating(int bits) when bits == 32 ->
              assertThat(ours.mightContain(number + 0.5f))
                  .isEqualTo(theirs.findHash(theirs.hash(number + 0.5f)));
          case DataType.Utf8 _, DataType.Binary _, DataType.FixedBinary _, DataType.Uuid _ ->
              assertThat(ours.mightContain(ByteString.of(bytes)))
                  .isEqualTo(theirs.findHash(theirs.hash(binary)));
          default -> {} // Stored as one of the above.
        }
      }
    }

    private BigInteger unsigned(long number) {
      return new BigInteger(Long.toUnsignedString(number));
    }

    @Test
    void falsePositivesAreAboutAsRareAsTheWriterWanted() throws IOException {
      int count = 10_000;
      Table table = longs(count);
      Path path = folder.resolve("table.parquet");
      write(table, path, count);
      try (StorageFile file = new LocalStorage().open(Location.of(path))) {
        BloomFilter filter =
            format.bloomFilter(file, format.readMetadata(file), 0, "c0").orElseThrow();
        int found = 0;
        for (long value = count; value < 51L * count; value++) {
          found += filter.mightContain(value) ? 1 : 0;
        }
        // The writer's default is 1 %, and it rounds the size up to a power of two.
        assertThat(found / (50.0 * count)).isBetween(0.0005, 0.011);
      }
    }

    /// The numbers from 0.
    private Table longs(int count) {
      MessageType message = MessageTypeParser.parseMessageType("message m { required int64 c0; }");
      List<@Nullable Object> values = new ArrayList<>();
      LongStream.range(0, count).forEach(values::add);
      Field field = new Field("c0", new DataType.Int(64, true), false);
      return new Table(
          dev.penstock.schema.Schema.of(List.of(field)), message, List.of(values), count);
    }

    @Test
    void largeFilterIsReadBlockByBlock() throws IOException {
      Table table = longs(1000);
      Path path = folder.resolve("table.parquet");
      TestTables.write(
          table,
          new Layout(CompressionCodecName.UNCOMPRESSED, false, false, 1, 100, 1000, false),
          path,
          builder ->
              builder
                  .withBloomFilterEnabled("c0", true)
                  .withMaxBloomFilterBytes(8 << 20)
                  .withBloomFilterNDV("c0", 6_000_000));
      BytesFile file = new BytesFile(Files.readAllBytes(path));
      assertThat(file.size()).isGreaterThan(8 << 20);
      FileMetadata metadata = format.readMetadata(file);
      long before = file.bytesRead();
      BloomFilter filter = format.bloomFilter(file, metadata, 0, "c0").orElseThrow();
      for (long value = 0; value < 1000; value++) {
        assertThat(filter.mightContain(value)).isTrue();
      }
      long found = 0;
      for (long value = 1000; value < 2000; value++) {
        found += filter.mightContain(value) ? 1 : 0;
      }
      assertThat(found).isLessThan(5);
      assertThat(file.bytesRead() - before).isLessThan(1024 + 2000 * 32);
    }

    @Test
    void chunksAllInDictionariesHaveNone() throws IOException {
      Path path = folder.resolve("table.parquet");
      TestTables.write(
          longs(10),
          new Layout(CompressionCodecName.UNCOMPRESSED, false, true, 1 << 20, 100, 1000, false),
          path);
      BytesFile file = new BytesFile(Files.readAllBytes(path));
      assertThat(format.bloomFilter(file, format.readMetadata(file), 0, "c0")).isEmpty();
    }
  }

  @Nested
  class Conformance {
    @Test
    void filterOfParquetMrHasItsFourWords() throws IOException {
      byte[] bytes = Files.readAllBytes(shared("bloom_filter.xxhash.bin"));
      BloomFilter filter = open(strings(), bytes).orElseThrow();
      for (String word : List.of("hello", "parquet", "bloom", "filter")) {
        assertThat(filter.mightContain(ByteString.utf8(word))).isTrue();
      }
      long found = 0;
      for (int i = 0; i < 1000; i++) {
        found += filter.mightContain(ByteString.utf8("word " + i)) ? 1 : 0;
      }
      assertThat(found).isZero();
    }

    @Test
    void filterOfTheFormatBeforeIsNotMistaken() throws IOException {
      byte[] bytes = Files.readAllBytes(shared("bloom_filter.bin"));
      assertThatThrownBy(() -> open(strings(), bytes))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Corrupt Parquet bloom filter: ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "data_index_bloom_encoding_stats.parquet",
          "data_index_bloom_encoding_with_length.parquet"
        })
    void filtersAnswerAsParquetJava(String name) throws IOException {
      Path path = shared(name);
      try (StorageFile file = new LocalStorage().open(Location.of(path));
          ParquetFileReader theirs = JavaParquet.open(new LocalInputFile(path))) {
        FileMetadata metadata = format.readMetadata(file);
        BloomFilter filter = format.bloomFilter(file, metadata, 0, "String").orElseThrow();
        DataType text = new DataType.Utf8();
        for (var word : TestBounds.values(text, JavaParquet.column(path, "String", text))) {
          assertThat(filter.mightContain(word)).as("%s", word).isTrue();
        }
        var other =
            theirs.readBloomFilter(
                theirs.getFooter().getBlocks().getFirst().getColumns().getFirst());
        for (int i = 0; i < 2000; i++) {
          Binary word = Binary.fromString("word " + i);
          assertThat(filter.mightContain(ByteString.of(word.getBytes())))
              .isEqualTo(other.findHash(other.hash(word)));
        }
      }
    }
  }

  private static HandMadeFooter strings() {
    return new HandMadeFooter(Type.BYTE_ARRAY, 9);
  }

  /// Opens a filter that consists of the given bytes.
  private Optional<BloomFilter> open(HandMadeFooter footer, byte[] bytes) throws IOException {
    footer.data.setBloom_filter_offset(footer.position());
    footer.append(bytes);
    BytesFile file = footer.file();
    return format.bloomFilter(file, format.readMetadata(file), 0, "c");
  }

  private static BloomFilterHeader header(int bytes) {
    return new BloomFilterHeader(
        bytes,
        BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
        BloomFilterHash.XXHASH(new XxHash()),
        BloomFilterCompression.UNCOMPRESSED(new Uncompressed()));
  }

  /// Returns a filter whose bits are all set or all clear.
  private static byte[] filter(BloomFilterHeader header, int bytes, int fill) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeBloomFilterHeader(header, out);
    byte[] bits = new byte[bytes];
    Arrays.fill(bits, (byte) fill);
    out.writeBytes(bits);
    return out.toByteArray();
  }

  @Nested
  class Values {
    private BloomFilter full(HandMadeFooter footer) throws IOException {
      return open(footer, filter(header(64), 64, 0xff)).orElseThrow();
    }

    private BloomFilter clear(HandMadeFooter footer) throws IOException {
      return open(footer, filter(header(64), 64, 0)).orElseThrow();
    }

    @Test
    void thatTheTypeCannotHaveAreNeverThere() throws IOException {
      LogicalType int32 = LogicalType.INTEGER(new IntType((byte) 32, true));
      LogicalType uint32 = LogicalType.INTEGER(new IntType((byte) 32, false));
      LogicalType decimal = LogicalType.DECIMAL(new DecimalType(2, 4));
      BloomFilter small = full(new HandMadeFooter(Type.INT32, 9).logical(int32));
      assertThat(small.mightContain((1L << 31) - 1)).isTrue();
      assertThat(small.mightContain(1L << 31)).isFalse();
      BloomFilter unsigned = full(new HandMadeFooter(Type.INT32, 9).logical(uint32));
      assertThat(unsigned.mightContain(0xffffffffL)).isTrue();
      assertThat(unsigned.mightContain(0x100000000L)).isFalse();
      assertThat(unsigned.mightContain(-1L)).isFalse();
      BloomFilter money = full(new HandMadeFooter(Type.INT32, 9).logical(decimal));
      assertThat(money.mightContain(new BigDecimal("1.500"))).isTrue();
      assertThat(money.mightContain(new BigDecimal("1.505"))).isFalse();
      assertThat(money.mightContain(new BigDecimal("99999999999"))).isFalse();
      assertThat(money.mightContain(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE))).isFalse();
      BloomFilter pairs = full(new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9).width(2));
      assertThat(pairs.mightContain(ByteString.utf8("ab"))).isTrue();
      assertThat(pairs.mightContain(ByteString.utf8("abc"))).isFalse();
    }

    @Test
    void ofAnotherClassAreRefused() throws IOException {
      BloomFilter filter = full(new HandMadeFooter(Type.INT64, 9));
      assertThatThrownBy(() -> filter.mightContain("5"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot look for '5' in column 'c': its class is String but expected Long for a column"
                  + " of type int64.");
      assertThatThrownBy(() -> filter.mightContain(5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thatAreNanMightAlwaysBeThere() throws IOException {
      BloomFilter filter = clear(new HandMadeFooter(Type.DOUBLE, 9));
      assertThat(filter.mightContain(Double.NaN)).isTrue();
      assertThat(filter.mightContain(1.5)).isFalse();
      assertThat(clear(new HandMadeFooter(Type.FLOAT, 9)).mightContain(Float.NaN)).isTrue();
    }

    @Test
    void thatAreZeroAreLookedForWithBothSigns() throws IOException {
      for (double stored : new double[] {0d, -0d}) {
        var theirs = new org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter(1024);
        theirs.insertHash(theirs.hash(stored));
        ByteArrayOutputStream bits = new ByteArrayOutputStream();
        theirs.writeTo(bits);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Util.writeBloomFilterHeader(header(bits.size()), all);
        all.writeBytes(bits.toByteArray());
        BloomFilter filter =
            open(new HandMadeFooter(Type.DOUBLE, 9), all.toByteArray()).orElseThrow();
        assertThat(filter.mightContain(0d)).isTrue();
        assertThat(filter.mightContain(-0d)).isTrue();
        assertThat(filter.mightContain(1d)).isFalse();
      }
    }
  }

  @Nested
  class Refused {
    @Test
    void filtersOfOtherKindsAreNone() throws IOException {
      byte[] bytes = filter(header(64), 64, 0);
      // Field 2 is the algorithm: a union whose field 1 becomes field 2.
      assertThat(bytes[3]).isEqualTo((byte) 0x1c);
      assertThat(bytes[4]).isEqualTo((byte) 0x1c);
      for (int at : new int[] {4, 8, 12}) {
        byte[] other = bytes.clone();
        other[at] = 0x2c;
        assertThat(open(strings(), other)).as("byte %s", at).isEmpty();
      }
      assertThat(open(strings(), bytes)).isPresent();
    }

    @Test
    void filtersLargerThanTheFormatAllowsAreNone() throws IOException {
      assertThat(open(strings(), filter(header((128 << 20) + 32), 64, 0))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"64, 64, true", "32, 64, false", "96, 96, true", "96, 64, false"})
    void filtersOfAnotherLengthThanTheFooterSaysAreNone(int stated, int bytes, boolean agree)
        throws IOException {
      byte[] filter = filter(header(stated), bytes, 0);
      HandMadeFooter footer = strings();
      footer.data.setBloom_filter_length(filter.length);
      assertThat(open(footer, HandMadeFile.join(filter, new byte[64])).isPresent())
          .isEqualTo(agree);
    }

    @ParameterizedTest
    @CsvSource({"2, true", "1, false"})
    void dictionariesWithMoreValuesThanTheyStateAreNone(int stated, boolean agree)
        throws IOException {
      byte[] values = HandMadeFile.ints(5, 6);
      BytesFile file = new HandMadeFooter(Type.INT32, 9).dictionary(stated, values).file();
      Optional<BloomFilter> filter = format.bloomFilter(file, format.readMetadata(file), 0, "c");
      assertThat(filter.isPresent()).isEqualTo(agree);
      if (agree) {
        assertThat(filter.orElseThrow().mightContain(6L)).isTrue();
        assertThat(filter.orElseThrow().mightContain(7L)).isFalse();
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -32, 16, 33, Integer.MIN_VALUE})
    void filtersOfPartBlocksAreCorrupt(int size) throws IOException {
      byte[] bytes = filter(header(size), 64, 0);
      assertThatThrownBy(() -> open(strings(), bytes))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "Corrupt Parquet bloom filter: it has "
                  + size
                  + " bytes but expected a multiple of 32. Write the file again, or read it without"
                  + " a filter on the column. [memory://file, row group 0, column 'c', byte 1004]");
    }

    @Test
    void filtersBeyondTheFileAreCorrupt() throws IOException {
      byte[] bytes = filter(header(128 << 20), 64, 0);
      assertThatThrownBy(() -> open(strings(), bytes))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("it is stated to have 134217728 bytes at ");
      HandMadeFooter footer = strings();
      footer.data.setBloom_filter_offset(1L << 40);
      BytesFile file = footer.file();
      assertThatThrownBy(() -> format.bloomFilter(file, format.readMetadata(file), 0, "c"))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("it is stated to have 1 bytes at 1099511627776");
    }

    @ParameterizedTest
    @CsvSource({
      "parquet-mr-trino version 459 (build n/a), false",
      "parquet-mr-trino version 460 (build n/a), true",
      "parquet-go version 18.0.0, false",
      "parquet-mr version 1.13.1 (build 1), true"
    })
    void filtersOfWritersThatForgetValuesAreNone(String writer, boolean right) throws IOException {
      byte[] bytes = filter(header(64), 64, 0);
      assertThat(open(strings().createdBy(writer), bytes).isPresent()).isEqualTo(right);
    }

    /// Whatever is in a filter, there is a typed error, a filter or none.
    @Seeded(runs = 20)
    void damagedHeadersGiveTypedErrorsOrFilters(Random random) throws IOException {
      byte[] good = filter(header(64), 64, 0x55);
      for (int i = 0; i < 200; i++) {
        byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
        bad[random.nextInt(Math.min(20, bad.length))] = (byte) random.nextInt();
        try {
          Optional<BloomFilter> filter = open(strings(), bad);
          if (filter.isPresent()) {
            assertThat(filter.get().mightContain(ByteString.utf8("a"))).isIn(true, false);
          }
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("[memory://file, row group 0, column 'c', byte ");
        }
      }
    }

    @Test
    void columnsWithoutAFilterHaveNone() throws IOException {
      BytesFile file = strings().file();
      FileMetadata metadata = format.readMetadata(file);
      assertThat(format.bloomFilter(file, metadata, 0, "c")).isEmpty();
      assertThat(format.bloomFilter(file, metadata, 0, "d")).isEmpty();
      assertThatThrownBy(() -> format.bloomFilter(file, metadata, 1, "c"))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
