package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.footer.Thrift.required;

import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
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
    for (int i = 0; i < 6; i++) {
      int first = random.nextInt(ROWS);
      int count = Math.min(ROWS - first, random.nextInt(3000));
      TestRows.requireSame(random, format, file, metadata, table, table.schema(), first, count);
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
      int leaf = random.nextInt(metadata.columns().size());
      Extent index = metadata.footerStatistics().indexes(0, leaf).offsetIndex();
      damaged[(int) index.offset() + random.nextInt((int) index.length())] ^=
          (byte) (1 << random.nextInt(8));
      assertRows(new BytesFile(damaged), table, random);
    }
  }

  /// Moves the first rows of some page and all behind it, as a writer does that counts one page
  /// wrongly.
  private static byte[] shifted(byte[] bytes, int leaf, Random random) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int start = bytes.length - 8 - file.getInt(bytes.length - 8);
    FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, 1 << 20));
    ColumnChunk chunk =
        required(required(footer.getRow_groups()).getFirst().getColumns()).get(leaf);
    OffsetIndex index =
        Util.readOffsetIndex(
            new ByteArrayInputStream(bytes, (int) chunk.getOffset_index_offset(), 1 << 20));
    List<PageLocation> pages = required(index.getPage_locations());
    int by = random.nextBoolean() ? 1 : -1;
    for (int page = 1 + random.nextInt(pages.size()); page < pages.size(); page++) {
      pages.get(page).setFirst_row_index(pages.get(page).getFirst_row_index() + by);
    }
    ByteArrayOutputStream shifted = new ByteArrayOutputStream();
    shifted.write(bytes, 0, start);
    chunk.setOffset_index_offset(shifted.size());
    Util.writeOffsetIndex(index, shifted);
    chunk.setOffset_index_length(shifted.size() - start);
    int footerStart = shifted.size();
    Util.writeFileMetaData(footer, shifted);
    shifted.writeBytes(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(shifted.size() - footerStart)
            .put(new byte[] {'P', 'A', 'R', '1'})
            .array());
    return shifted.toByteArray();
  }

  @Seeded(runs = 40)
  void indexThatIsOneRowOffChangesNoRow(Random random) throws IOException {
    Table table = TestTables.random(random, 1 + random.nextInt(2), ROWS);
    byte[] bytes = write(table, random);
    ParquetMetadata metadata = (ParquetMetadata) format.readMetadata(new BytesFile(bytes));
    for (int leaf = 0; leaf < metadata.columns().size(); leaf++) {
      assertRows(new BytesFile(shifted(bytes, leaf, random)), table, random);
    }
  }
}
