package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import dev.penstock.testing.FormatInMemory;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is known of a table's column in one of its files.
class TableFileTest {
  private static final Location LOCATION = new Location("/lake/k=7/file");

  /// A file of one column `c` and one row group of 10 rows, one page, and a bloom filter that has
  /// the number 5 only.
  private record Stated(Schema schema, ColumnStatistics statistics) implements FormatInMemory {
    @Override
    public List<PageStatistics> pageStatistics(
        StorageFile file, FileMetadata metadata, int rowGroup, String column) {
      return List.of(new PageStatistics(0, 10, statistics));
    }

    @Override
    public Optional<BloomFilter> bloomFilter(
        StorageFile file, FileMetadata metadata, int rowGroup, String column) {
      return Optional.of(value -> {
        if (!(value instanceof Long number)) {
          throw new IllegalArgumentException("Not of the file's class: " + value);
        }
        return number == 5;
      });
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory) {
      throw new AssertionError();
    }

    @Override
    public List<RowGroup> rowGroups() {
      return List.of(new RowGroup(10, 0));
    }

    @Override
    public ColumnStatistics statistics(int rowGroup, String column) {
      return column.equals("c") ? statistics : ColumnStatistics.UNKNOWN;
    }
  }

  private static ColumnStatistics stated(
      @Nullable Comparable<?> lower, @Nullable Comparable<?> upper, long nans) {
    return new ColumnStatistics(
        OptionalLong.of(10),
        OptionalLong.of(1),
        nans < 0 ? OptionalLong.empty() : OptionalLong.of(nans),
        lower == null ? null : new Bound(lower, true),
        upper == null ? null : new Bound(upper, true));
  }

  private static TableFile file(DataType type, ColumnStatistics statistics) throws IOException {
    Schema schema = Schema.of(List.of(new Field("c", type, true)));
    Stated stated = new Stated(schema, statistics);
    TableFile file =
        TableFiles.alone(
            new DataFileInfo(
                LOCATION, 0, List.of(), List.of(new PartitionValue("k", "7")), Optional.empty()),
            "",
            stated,
            stated,
            new LocalStorage());
    FoundFile found =
        new FoundFile(
            new FileEntry(LOCATION, 0, false), new LocalStorage(), stated, file.info().partition());
    SchemaRules rules =
        SchemaRules.DEFAULT
            .withMissing(MissingColumns.nulls().withDefault("d", 0.0))
            .withGiven(
                Schema.of(
                    List.of(new Field("c", type, true), new Field("d", DataType.float64(), true))))
            .withHive(Map.of());
    Partitions partitions = Partitions.of(List.of(found), rules);
    return Table.of(List.of(file), rules, partitions).files().getFirst();
  }

  private static ColumnStatistics converted(DataType from, ColumnStatistics statistics, DataType to)
      throws IOException {
    return as(file(from, statistics), "c", to).ofRowGroup(0, "c");
  }

  /// Returns what a file states of a column of the table that has a type.
  private static FileStatistics as(TableFile file, String column, DataType type) {
    Schema table = Schema.of(List.of(new Field(column, type, true)));
    FileColumns columns = file.columns();
    return TableFile.in(table, columns.rules(), columns.partitions(), List.of(file))
        .getFirst()
        .statistics();
  }

  @Test
  void countsStayAndBoundsTakeTheTablesClass() throws IOException {
    DataType uint64 = new DataType.Int(64, false);
    ColumnStatistics wide = converted(DataType.int32(), stated(-5L, 9L, -1), DataType.int64());
    assertThat(wide).isEqualTo(stated(-5L, 9L, -1));
    assertThat(converted(new DataType.Int(8, false), stated(0L, 255L, -1), uint64))
        .isEqualTo(stated(BigInteger.ZERO, BigInteger.valueOf(255), -1));
    assertThat(converted(DataType.float32(), stated(-0.5f, 0.1f, 0), DataType.float64()))
        .isEqualTo(stated(-0.5, (double) 0.1f, 0));
    assertThat(converted(DataType.int64(), stated(1L, 2L, -1), new DataType.Decimal(9, 2)))
        .isEqualTo(stated(new BigDecimal("1.00"), new BigDecimal("2.00"), -1));
    assertThat(
            converted(
                new DataType.Timestamp(TimeUnit.MILLIS, true),
                stated(-1L, 2L, -1),
                new DataType.Timestamp(TimeUnit.NANOS, true)))
        .isEqualTo(stated(-1_000_000L, 2_000_000L, -1));
    assertThat(
            converted(
                DataType.string(),
                stated(ByteString.utf8("a"), ByteString.utf8("b"), -1),
                new DataType.Binary()))
        .isEqualTo(stated(ByteString.utf8("a"), ByteString.utf8("b"), -1));
  }

  @Test
  void boundsThatTheTypeHasNotAreUnknown() throws IOException {
    assertThat(converted(DataType.int64(), stated(-5L, 300L, -1), DataType.int8()))
        .isEqualTo(stated(-5L, null, -1));
    long odd = (1L << 53) + 1;
    assertThat(converted(DataType.int64(), stated(1L, odd, -1), DataType.float64()))
        .isEqualTo(stated(1.0, null, 0));
    assertThat(converted(DataType.float64(), stated(-0.1, 0.5, 0), DataType.float32()))
        .isEqualTo(stated(null, 0.5f, 0));
    assertThat(
            converted(
                DataType.float64(),
                stated(-1e300, Double.POSITIVE_INFINITY, 0),
                DataType.float32()))
        .isEqualTo(stated(null, null, 0));
    DataType micros = new DataType.Timestamp(TimeUnit.MICROS, false);
    assertThat(
            converted(
                micros,
                stated(-1L, Long.MAX_VALUE / 1000 * 1000, -1),
                new DataType.Timestamp(TimeUnit.MILLIS, false)))
        .isEqualTo(stated(null, Long.MAX_VALUE / 1000, -1));
    assertThat(
            converted(
                micros,
                stated(0L, Long.MAX_VALUE, -1),
                new DataType.Timestamp(TimeUnit.NANOS, false)))
        .isEqualTo(stated(0L, null, -1));
  }

  @Test
  void naNThatBecomesZeroBreaksNoBound() throws IOException {
    assertThat(converted(DataType.float32(), stated(5f, 9f, -1), DataType.int32()))
        .isEqualTo(stated(null, null, -1));
    assertThat(converted(DataType.float32(), stated(5f, 9f, 0), DataType.int32()))
        .isEqualTo(stated(5L, 9L, -1));
  }

  @Test
  void zerosOfFloatingPointNumbersHaveBothSigns() throws IOException {
    ColumnStatistics statistics =
        converted(DataType.int32(), stated(0L, 0L, -1), DataType.float64());
    assertThat(statistics.lower()).isEqualTo(new Bound(-0.0, false));
    assertThat(statistics.upper()).isEqualTo(new Bound(0.0, false));
    assertThat(statistics.noNaN()).isTrue();
  }

  @Test
  void missingColumnsAreNullsOrTheirDefault() throws IOException {
    TableFile file = file(DataType.int64(), stated(1L, 2L, -1));
    ColumnStatistics missing = as(file, "e", DataType.int32()).ofRowGroup(0, "e");
    assertThat(missing.allNull()).isTrue();
    assertThat(missing.valueCount()).hasValue(10);
    ColumnStatistics given = as(file, "d", DataType.float64()).ofRowGroup(0, "d");
    assertThat(given.noNulls()).isTrue();
    assertThat(given.noNaN()).isTrue();
    assertThat(given.lower()).isEqualTo(new Bound(-0.0, false));
    assertThat(given.upper()).isEqualTo(new Bound(0.0, false));
  }

  @Test
  void partitionsHaveOneValue() throws IOException {
    TableFile file = file(DataType.int64(), stated(1L, 2L, -1));
    ColumnStatistics statistics = as(file, "k", DataType.int64()).ofRowGroup(0, "k");
    assertThat(statistics)
        .isEqualTo(
            new ColumnStatistics(
                OptionalLong.of(10),
                OptionalLong.of(0),
                OptionalLong.empty(),
                new Bound(7L, true),
                new Bound(7L, true)));
    assertThat(as(file, "k", DataType.int64()).bloomFilter(noFile(), 0, "k"))
        .isEqualTo(Optional.empty());
    assertThat(as(file, "k", DataType.int64()).ofPages(noFile(), 0, "k")).isEmpty();
  }

  @Test
  void pagesAreConvertedAsRowGroupsAre() throws IOException {
    TableFile file = file(DataType.int64(), stated(-5L, 300L, -1));
    assertThat(as(file, "c", DataType.int8()).ofPages(noFile(), 0, "c"))
        .containsExactly(new PageStatistics(0, 10, stated(-5L, null, -1)));
  }

  @Test
  void bloomFiltersTakeValuesOfTheTablesType() throws IOException {
    DataType uint64 = new DataType.Int(64, false);
    TableFile file = file(new DataType.Int(32, false), stated(0L, 9L, -1));
    BloomFilter same =
        as(file, "c", new DataType.Int(32, false)).bloomFilter(noFile(), 0, "c").orElseThrow();
    assertThat(same.mightContain(5L)).isTrue();
    BloomFilter wide = as(file, "c", uint64).bloomFilter(noFile(), 0, "c").orElseThrow();
    assertThat(wide.mightContain(BigInteger.valueOf(5))).isTrue();
    assertThat(wide.mightContain(BigInteger.valueOf(6))).isFalse();
    assertThat(wide.mightContain(BigInteger.TWO.pow(32).add(BigInteger.valueOf(5)))).isFalse();
    assertThat(as(file, "c", DataType.float64()).bloomFilter(noFile(), 0, "c")).isEmpty();
    assertThat(as(file, "c", DataType.int8()).bloomFilter(noFile(), 0, "c")).isEmpty();
  }

  private static dev.penstock.testing.BytesFile noFile() {
    return new dev.penstock.testing.BytesFile(new byte[0]);
  }
}
