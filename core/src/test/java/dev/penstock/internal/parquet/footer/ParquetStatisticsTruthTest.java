package dev.penstock.internal.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// Statistics and page index held against every value of files that parquet-java wrote.
class ParquetStatisticsTruthTest {
  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @Seeded(runs = 150)
  void noValueContradictsTheStatistics(Random random) throws IOException {
    int rows = random.nextInt(1 + random.nextInt(1500));
    Table table = TestTables.random(random, 1 + random.nextInt(6), rows);
    TestBounds.addExtremes(random, table);
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, Layout.random(random, rows), path);
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      for (int c = 0; c < table.columns().size(); c++) {
        boolean ordered = isOrdered(table.message().getType(c).asPrimitiveType());
        checkColumn(
            file, metadata, ordered, table.schema().fields().get(c), table.columns().get(c));
      }
    }
  }

  private void checkColumn(
      StorageFile file,
      FileMetadata metadata,
      boolean ordered,
      Field field,
      List<@Nullable Object> values)
      throws IOException {
    int row = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      int rows = (int) metadata.rowGroups().get(group).rowCount();
      List<@Nullable Object> part = values.subList(row, row + rows);
      ColumnStatistics statistics = metadata.statistics(group, field.name());
      TestBounds.check(statistics, field.type(), part);
      assertThat(statistics.nullCount()).isPresent();
      assertThat(isBounded(statistics))
          .as("%s: %s", field, statistics)
          .isEqualTo(ordered && hasBounds(field.type(), part) && !isBeyondCut(field.type(), part));
      checkPages(
          format.pageStatistics(file, metadata, group, field.name()), ordered, field.type(), part);
      row += rows;
    }
  }

  private static void checkPages(
      List<PageStatistics> pages, boolean ordered, DataType type, List<@Nullable Object> values) {
    long next = 0;
    for (PageStatistics page : pages) {
      assertThat(page.firstRow()).isEqualTo(next);
      next += page.rowCount();
      List<@Nullable Object> part = values.subList((int) page.firstRow(), (int) next);
      TestBounds.check(page.statistics(), type, part);
      assertThat(isBounded(page.statistics()))
          .as("%s", part)
          .isEqualTo(ordered && hasBounds(type, part));
    }
    assertThat(next).isEqualTo(pages.isEmpty() ? 0 : values.size());
  }

  private static boolean isOrdered(PrimitiveType type) {
    return type.getPrimitiveTypeName() != PrimitiveTypeName.INT96
        && !(type.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.IntervalLogicalTypeAnnotation);
  }

  private static boolean isBounded(ColumnStatistics statistics) {
    return statistics.lower() != null && statistics.upper() != null;
  }

  /// Whether the writer has bounds to give: not where all are null or NaN. That the greatest text
  /// is the empty one is not believed.
  private static boolean hasBounds(DataType type, List<@Nullable Object> rows) {
    return TestBounds.values(type, rows).stream()
        .anyMatch(value -> !TestBounds.isNaN(value) && !value.equals(ByteString.utf8("")));
  }

  /// Whether a value is too long to keep, and no shorter one is above it.
  private static boolean isBeyondCut(DataType type, List<@Nullable Object> rows) {
    byte[] top = new byte[FooterStatistics.BOUND_BYTES_MAX];
    Arrays.fill(top, (byte) -1);
    return TestBounds.values(type, rows).stream()
        .anyMatch(value ->
            value instanceof ByteString bytes
                && bytes.length() > top.length
                && bytes.startsWith(ByteString.of(top)));
  }
}
