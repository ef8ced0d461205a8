package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.FileMetadata;
import dev.penstock.internal.parquet.FooterStatistics.Extent;
import dev.penstock.schema.Schema;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// Runs that start in the middle of a large row group: their pages are found by the offset index.
class ParquetJumpTest {
  private static final int ROWS = 12_000;

  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  private byte[] write(Table table, Random random) throws IOException {
    Layout any = Layout.random(random, ROWS);
    Layout layout =
        new Layout(
            random.nextInt(3) > 0 ? CompressionCodecName.UNCOMPRESSED : any.codec(),
            any.v2(),
            any.dictionary(),
            any.dictionaryBytes(),
            100 + random.nextInt(2000),
            ROWS,
            any.crc());
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, layout, path);
    return Files.readAllBytes(path);
  }

  private void assertRows(BytesFile file, Table table, Random random) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    Schema columns = table.schema();
    for (int i = 0; i < 6; i++) {
      int first = random.nextInt(ROWS);
      int count = Math.min(ROWS - first, random.nextInt(3000));
      int most = 1 + random.nextInt(2000);
      List<List<@Nullable Object>> read =
          TestRows.read(
              format,
              file,
              metadata,
              columns,
              first,
              count,
              new TestMemory(Long.MAX_VALUE),
              () -> most);
      for (int c = 0; c < columns.size(); c++) {
        assertThat(read.get(c))
            .as("column %s, rows [%d, %d)", columns.fields().get(c), first, first + count)
            .isEqualTo(table.columns().get(c).subList(first, first + count));
      }
    }
  }

  @Seeded(runs = 25)
  void rowsAreThoseThatWereWritten(Random random) throws IOException {
    Table table = TestTables.random(random, 1 + random.nextInt(4), ROWS);
    assertRows(new BytesFile(write(table, random)), table, random);
  }

  @Seeded(runs = 40)
  void damagedIndexChangesNoRow(Random random) throws IOException {
    Table table = TestTables.random(random, 1 + random.nextInt(2), ROWS);
    byte[] bytes = write(table, random);
    ParquetMetadata metadata = (ParquetMetadata) format.readMetadata(new BytesFile(bytes));
    for (int i = 0; i < 5; i++) {
      byte[] damaged = bytes.clone();
      int leaf = random.nextInt(metadata.chunks().getFirst().size());
      Extent index = metadata.footerStatistics().entry(0, leaf).offsetIndex();
      damaged[(int) index.offset() + random.nextInt((int) index.length())] ^=
          (byte) (1 << random.nextInt(8));
      assertRows(new BytesFile(damaged), table, random);
    }
  }
}
