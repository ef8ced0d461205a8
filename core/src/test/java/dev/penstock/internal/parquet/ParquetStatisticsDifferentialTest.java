package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.footer.LeafColumn;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Statistics, column index and offset index as parquet-java reads them, beside ours.
class ParquetStatisticsDifferentialTest {
  /// Files with bounds that parquet-java takes and we do not: they do not state the order of their
  /// columns, and the bounds are not in the old fields, or those are of text.
  private static final Set<String> WITHOUT_ORDER =
      Set.of(
          "concatenated_gzip_members.parquet",
          "data_index_bloom_encoding_with_length.parquet",
          "datapage_v2.snappy.parquet",
          "nested_structs.rust.parquet",
          "nonnullable.impala.parquet");

  /// Files with bounds that we take and parquet-java does not: decimals in the old fields, which
  /// are right where decimals are stored as integers.
  private static final Set<String> OLD_DECIMALS =
      Set.of("int32_decimal.parquet", "int64_decimal.parquet");

  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> conformanceFilesHaveTheStatisticsThatParquetJavaReads() throws IOException {
    String shared = System.getProperty("penstock.shared", "");
    Path data = Path.of(shared, "data", "parquet-testing", "data");
    assumeTrue(Files.isDirectory(data), () -> "No conformance files at " + data);
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .sorted()
          .map(path -> DynamicTest.dynamicTest(name(path), () -> compare(path)))
          .toList()
          .stream();
    }
  }

  @Seeded(runs = 50)
  void writtenFilesHaveTheStatisticsThatParquetJavaReads(Random random) throws IOException {
    int rows = random.nextInt(1 + random.nextInt(1500));
    Table table = TestTables.random(random, 1 + random.nextInt(6), rows);
    TestBounds.addExtremes(random, table);
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, Layout.random(random, rows), path);
    compare(path);
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private void compare(Path path) throws IOException {
    try (ParquetFileReader theirs = JavaParquet.open(new LocalInputFile(path));
        StorageFile file = new LocalStorage().open(Location.of(path))) {
      ParquetMetadata ours = (ParquetMetadata) format.readMetadata(file);
      List<BlockMetaData> groups = theirs.getFooter().getBlocks();
      for (int group = 0; group < groups.size(); group++) {
        List<ColumnChunkMetaData> chunks = groups.get(group).getColumns();
        for (int leaf = 0; leaf < chunks.size(); leaf++) {
          ColumnChunkMetaData chunk = chunks.get(leaf);
          LeafColumn column = ours.footerStatistics().leaf(leaf);
          assertThat(column.path()).isEqualTo(chunk.getPath().toDotString());
          compareChunk(name(path), ours, group, leaf, chunk.getStatistics());
          comparePages(
              ours.footerStatistics().isOrdered(leaf),
              PageIndexReader.places(file, ours, group, leaf),
              format.pageStatistics(file, ours, group, column.path()),
              column,
              theirs.readOffsetIndex(chunk),
              theirs.readColumnIndex(chunk),
              groups.get(group).getRowCount());
        }
      }
    }
  }

  private static void compareChunk(
      String file, ParquetMetadata metadata, int group, int leaf, Statistics<?> theirs) {
    LeafColumn column = metadata.footerStatistics().leaf(leaf);
    ColumnStatistics ours = metadata.footerStatistics().statistics(group, leaf);
    OptionalLong nulls =
        theirs.isNumNullsSet() ? OptionalLong.of(theirs.getNumNulls()) : OptionalLong.empty();
    if (column.repeated()) {
      assertThat(ours.nullCount()).isEmpty();
    } else {
      assertThat(ours.nullCount())
          .isEqualTo(nulls.isEmpty() && !column.nullable() ? OptionalLong.of(0) : nulls);
    }
    if (!theirs.hasNonNullValue()) {
      boolean bounded = ours.lower() != null || ours.upper() != null;
      assertThat(bounded && !OLD_DECIMALS.contains(file)).isFalse();
    } else if (!column.ordered()) {
      assertThat(ours.lower()).isNull(); // Theirs are equal, which they take in any order.
      assertThat(ours.upper()).isNull();
    } else if (ours.lower() == null && !metadata.footerStatistics().isOrdered(leaf)) {
      assertThat(WITHOUT_ORDER).contains(file);
    } else {
      compareBounds(
          ours, value(column, theirs.genericGetMin()), value(column, theirs.genericGetMax()), 64);
    }
  }

  /// Compares bounds, which are the same but where ours are meant to differ: none are NaN, zeros
  /// are the outer ones, no upper bound is empty, and long ones are cut.
  private static void compareBounds(
      ColumnStatistics ours, Comparable<?> min, Comparable<?> max, int cut) {
    if (TestBounds.isNaN(min) || TestBounds.isNaN(max)) {
      assertThat(ours.lower()).isNull();
      assertThat(ours.upper()).isNull();
      return;
    }
    Bound lower = ours.lower();
    assertThat(lower).isNotNull();
    if (min instanceof ByteString bytes && bytes.length() > cut) {
      assertThat(bytes.startsWith((ByteString) lower.value())).isTrue();
      assertThat(((ByteString) lower.value()).length()).isEqualTo(cut);
    } else {
      assertThat(lower.value()).isEqualTo(isZero(min) ? outer(min, "-0.0") : min);
    }
    Bound upper = ours.upper();
    if (max instanceof ByteString bytes && (bytes.length() > cut || bytes.length() == 0)) {
      assertThat(upper == null || upper.compareTo(max) > 0).isTrue();
      assertThat(upper == null || ((ByteString) upper.value()).length() <= cut).isTrue();
    } else {
      assertThat(upper).isNotNull();
      assertThat(upper.value()).isEqualTo(isZero(max) ? outer(max, "0.0") : max);
    }
  }

  private static boolean isZero(Comparable<?> value) {
    return value.equals(0f) || value.equals(-0f) || value.equals(0d) || value.equals(-0d);
  }

  private static Comparable<?> outer(Comparable<?> zero, String text) {
    return zero instanceof Float ? (Comparable<?>) Float.valueOf(text) : Double.valueOf(text);
  }

  /// Returns a value as parquet-java has it in the form that bounds have.
  private static Comparable<?> value(LeafColumn column, Object theirs) {
    return switch (theirs) {
      case Integer number when isUnsigned(column) -> Integer.toUnsignedLong(number);
      case Long number when isUnsigned(column) -> new BigInteger(Long.toUnsignedString(number));
      case Number number when column.type() instanceof DataType.Decimal(int _, int scale) ->
          BigDecimal.valueOf(number.longValue(), scale);
      case Integer number -> number.longValue();
      case Binary bytes -> value(column, bytes.getBytes());
      default -> (Comparable<?>) theirs;
    };
  }

  private static boolean isUnsigned(LeafColumn column) {
    return column.type() instanceof DataType.Int(int _, boolean signed) && !signed;
  }

  private static Comparable<?> value(LeafColumn column, byte[] bytes) {
    return switch (column.type()) {
      case DataType.Decimal(int _, int scale) -> new BigDecimal(new BigInteger(bytes), scale);
      case DataType.Floating _ ->
          Float.float16ToFloat((short) ((bytes[0] & 0xff) | (bytes[1] << 8)));
      default -> ByteString.of(bytes);
    };
  }

  private static void comparePages(
      boolean ordered,
      @Nullable OffsetIndex places,
      List<PageStatistics> pages,
      LeafColumn column,
      org.apache.parquet.internal.column.columnindex.@Nullable OffsetIndex theirPlaces,
      org.apache.parquet.internal.column.columnindex.@Nullable ColumnIndex theirs,
      long rows) {
    if (theirPlaces == null) {
      assertThat(places).isNull();
      assertThat(pages).isEmpty();
      return;
    }
    assertThat(places).isNotNull();
    assertThat(places.pages()).isEqualTo(theirPlaces.getPageCount());
    for (int i = 0; i < places.pages(); i++) {
      assertThat(places.offset(i)).isEqualTo(theirPlaces.getOffset(i));
      assertThat(places.bytes(i)).isEqualTo(theirPlaces.getCompressedPageSize(i));
      assertThat(places.firstRow(i)).isEqualTo(theirPlaces.getFirstRowIndex(i));
      assertThat(places.firstRow(i) + places.rows(i) - 1)
          .isEqualTo(theirPlaces.getLastRowIndex(i, rows));
    }
    if (theirs == null || column.repeated()) {
      assertThat(pages)
          .allMatch(page -> page.statistics().lower() == null && page.statistics().upper() == null);
      return;
    }
    assertThat(pages).hasSize(places.pages());
    for (int i = 0; i < pages.size(); i++) {
      ColumnStatistics ours = pages.get(i).statistics();
      assertThat(ours.allNull()).isEqualTo(theirs.getNullPages().get(i));
      if (theirs.getNullCounts() != null) {
        assertThat(ours.nullCount()).hasValue(theirs.getNullCounts().get(i));
      }
      if (ordered && !theirs.getNullPages().get(i)) {
        compareBounds(
            ours,
            value(column, stored(column, theirs.getMinValues().get(i))),
            value(column, stored(column, theirs.getMaxValues().get(i))),
            Integer.MAX_VALUE);
      }
    }
  }

  /// Returns what plain bytes are, of the class that parquet-java has for it.
  private static Object stored(LeafColumn column, ByteBuffer bytes) {
    ByteBuffer plain = bytes.duplicate().order(java.nio.ByteOrder.LITTLE_ENDIAN);
    return switch (column.physical()) {
      case BOOLEAN -> plain.get() != 0;
      case INT32 -> plain.getInt();
      case INT64 -> plain.getLong();
      case FLOAT -> plain.getFloat();
      case DOUBLE -> plain.getDouble();
      case INT96, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> Binary.fromConstantByteBuffer(plain);
    };
  }
}
