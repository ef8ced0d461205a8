package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestNested;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that lie: a typed error or rows, never anything else, and never much memory.
class ParquetHostileTest {
  private static final long MEMORY_BYTES = 64 << 20;

  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @Seeded(runs = 60)
  void flippedBytesGiveTypedErrorsOrRows(Random random) throws IOException {
    byte[] good = file(random, random.nextInt(10) == 0);
    for (int i = 0; i < 100; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      survive(bad);
    }
  }

  @Seeded(runs = 40)
  void flippedBytesOfNestedColumnsGiveTypedErrorsOrRows(Random random) throws IOException {
    int rows = 1 + random.nextInt(200);
    TestNested.Nested nested = TestNested.random(random, 1 + random.nextInt(3), rows, 3);
    Path path = folder.resolve("nested.parquet");
    Layout any = Layout.random(random, rows);
    nested.write(any.withoutChecksums(), path);
    byte[] good = Files.readAllBytes(path);
    for (int i = 0; i < 100; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      survive(bad);
    }
  }

  /// The files of other writers have the encodings and codecs that parquet-java does not write.
  @Seeded(runs = 5)
  void flippedBytesInFilesOfOtherWritersGiveTypedErrorsOrRows(Random random) throws IOException {
    for (Path path : WrittenByOthersTest.files().toList()) {
      byte[] good = Files.readAllBytes(path);
      for (int i = 0; i < 10; i++) {
        byte[] bad = good.clone();
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
        }
        survive(bad);
      }
    }
  }

  @Seeded(runs = 60)
  void rubbishInPagesGivesTypedErrorsOrRows(Random random) throws IOException {
    byte[] good = file(random, false);
    for (int i = 0; i < 50; i++) {
      byte[] bad = good.clone();
      int at = random.nextInt(bad.length);
      int end = Math.min(bad.length, at + 1 + random.nextInt(8));
      for (int b = at; b < end; b++) {
        bad[b] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
      }
      survive(bad);
    }
  }

  @Seeded(runs = 10)
  void everyCutFileIsRefused(Random random) throws IOException {
    int rows = 1 + random.nextInt(10);
    Table table = TestTables.random(random, 2, rows);
    byte[] good = write(table, Layout.random(random, rows));
    for (int length = 0; length < good.length; length++) {
      BytesFile cut = new BytesFile(Arrays.copyOf(good, length));
      assertThatThrownBy(() -> format.readMetadata(cut))
          .isInstanceOf(MalformedFileException.class)
          .message()
          .matches("(?s)(Truncated|Corrupt) .*");
    }
  }

  /// The footer stays as it is: the pages are missing a part, or are those of another place.
  @Seeded(runs = 60)
  void bytesMissingFromPagesGiveTypedErrorsOrRows(Random random) throws IOException {
    byte[] good = file(random, false);
    int footer = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getInt(good.length - 8);
    int pages = good.length - 8 - footer;
    for (int i = 0; i < 30; i++) {
      byte[] bad = good.clone();
      int at = 4 + random.nextInt(pages - 4);
      int missing = 1 + random.nextInt(pages - at);
      System.arraycopy(good, at + missing, bad, at, pages - at - missing);
      survive(bad);
    }
  }

  @Seeded(runs = 20)
  void flippedPageByteWithChecksumIsNamed(Random random) throws IOException {
    Table table = TestTables.random(random, 1, 500);
    Layout layout = new Layout(CompressionCodecName.UNCOMPRESSED, false, false, 1, 500, 500, true);
    byte[] bytes = write(table, layout);
    BytesFile good = new BytesFile(bytes);
    ParquetMetadata metadata = (ParquetMetadata) format.readMetadata(good);
    ParquetMetadata.Chunk chunk = metadata.chunk(0, 0);
    bytes[(int) (chunk.offset() + chunk.bytes() - 1)] ^= 1; // the last byte of the last page
    assertThatThrownBy(() -> read(new BytesFile(bytes), metadata, metadata.schema()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("checksum (CRC)")
        .hasMessageContaining("row group 0, column 'c0'");
  }

  @Test
  void fileShorterThanItsMagicIsTruncated() {
    assertThatThrownBy(() -> format.readMetadata(new BytesFile(new byte[11])))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "Truncated Parquet file: it has 11 bytes but a file has at least 12."
                + " [memory://file, footer]");
  }

  @Test
  void footerLongerThanTheFileIsTruncated() throws IOException {
    byte[] bytes = file(new Random(1), true);
    bytes[bytes.length - 5] = 0x10;
    assertThatThrownBy(() -> format.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("Truncated Parquet file: footer needs 2684");
  }

  @Test
  void otherMagicIsNotParquet() throws IOException {
    byte[] bytes = file(new Random(1), true);
    bytes[bytes.length - 1] = '2';
    assertThatThrownBy(() -> format.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("ends with the bytes 50415232 but expected 50415231 ('PAR1')");
  }

  @Test
  void footerOfDeeplyNestedStructuresIsRefused() {
    byte[] bytes = new byte[40_000];
    Arrays.fill(bytes, (byte) 0xfc); // field 15 further on, of a structure
    assertRefusedFooter(bytes);
  }

  @Test
  void footerWithAnEndlessListIsRefused() {
    // Field 2, a list of 2^31 - 1 structures.
    assertRefusedFooter(
        new byte[] {0x15, 2, 0x19, (byte) 0xfc, -1, -1, -1, -1, 7, 0, 0, 0, 0, 0, 0, 0});
  }

  private void assertRefusedFooter(byte[] footer) {
    byte[] bytes = Arrays.copyOf(footer, footer.length + 8);
    ByteBuffer.wrap(bytes, footer.length - 4, 12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0)
        .putInt(footer.length - 4)
        .put(new byte[] {'P', 'A', 'R', '1'});
    assertThatThrownBy(() -> format.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("cannot be parsed");
  }

  @Test
  void fileWithoutRowsHasNone() throws IOException {
    Table table = TestTables.random(new Random(5), 4, 0);
    byte[] bytes = write(table, Layout.random(new Random(5), 0));
    BytesFile file = new BytesFile(bytes);
    FileMetadata metadata = format.readMetadata(file);
    assertThat(metadata.rowCount()).isZero();
    assertThat(read(file, metadata, table.schema())).allMatch(List::isEmpty);
  }

  @Test
  void rowGroupsOutsideTheRangeAreNotRead() throws IOException {
    Random random = new Random(9);
    Table table = TestTables.random(random, 3, 2000);
    Layout layout =
        new Layout(CompressionCodecName.UNCOMPRESSED, false, false, 1, 1000, 100, false);
    BytesFile file = new BytesFile(write(table, layout));
    ParquetMetadata metadata = (ParquetMetadata) format.readMetadata(file);
    assertThat(metadata.rowGroups()).hasSize(20);
    long before = file.bytesRead();
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    TestRows.read(format, file, metadata, table.schema(), 710, 20, memory, () -> 1000);
    long group = 0;
    for (int leaf = 0; leaf < table.columns().size(); leaf++) {
      group += metadata.chunk(7, leaf).bytes();
    }
    assertThat(file.bytesRead() - before).isEqualTo(group);
  }

  @Test
  void unknownColumnIsRefusedWithTheNamesThereAre() throws IOException {
    BytesFile file = new BytesFile(file(new Random(1), true));
    FileMetadata metadata = format.readMetadata(file);
    Schema wanted =
        Schema.of(List.of(new dev.penstock.schema.Field("x", new DataType.Date(), true)));
    assertThatThrownBy(() -> read(file, metadata, wanted))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(
            "Cannot read column 'x': the file has no such column. Columns are:");
  }

  private byte[] file(Random random, boolean crc) throws IOException {
    int rows = 1 + random.nextInt(400);
    Table table = TestTables.random(random, 1 + random.nextInt(3), rows);
    Layout any = Layout.random(random, rows);
    Layout layout =
        new Layout(
            any.codec(),
            any.v2(),
            any.dictionary(),
            any.dictionaryBytes(),
            any.pageRows(),
            any.groupRows(),
            crc,
            any.encodings());
    return write(table, layout);
  }

  private byte[] write(Table table, Layout layout) throws IOException {
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, layout, path);
    return Files.readAllBytes(path);
  }

  private void survive(byte[] bytes) throws IOException {
    BytesFile file = new BytesFile(bytes);
    try {
      FileMetadata metadata = format.readMetadata(file);
      Schema readable =
          Schema.of(
              metadata.schema().fields().stream()
                  .filter(field -> !(field.type() instanceof DataType.Unsupported))
                  .toList());
      read(file, metadata, readable);
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("memory://file");
    }
  }

  private List<List<@Nullable Object>> read(BytesFile file, FileMetadata metadata, Schema columns)
      throws IOException {
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    long rows = Math.min(metadata.rowCount(), 10_000);
    return TestRows.read(format, file, metadata, columns, 0, rows, memory, () -> 1000);
  }
}
