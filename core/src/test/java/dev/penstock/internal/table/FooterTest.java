package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.fetch.FooterReads;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Footers of Parquet files on a store that counts requests: three files of some row groups.
class FooterTest {
  private static final int FILES = 3;
  private static final int ROWS = 100;

  private static final FilePlan PLAN =
      new FilePlan() {
        @Override
        public Optional<ColumnStatistics> statistics(int rowGroup, String column) {
          return Optional.empty();
        }

        @Override
        public Optional<RowSet> matches(String condition, long firstRow, long rowCount) {
          return Optional.empty();
        }

        @Override
        public String remedy() {
          return "Make a new plan.";
        }
      };

  private final MemoryStorage.Site site = MemoryStorage.site();
  private final MemoryStorage storage = new MemoryStorage();
  private final FooterMemory memory = new FooterMemory(new VirtualThreads());
  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    TestTables.Table table = TestTables.random(new Random(7), 3, ROWS);
    for (int f = 0; f < FILES; f++) {
      site.put(f + ".parquet", parquet(table, 40));
    }
  }

  private byte[] parquet(TestTables.Table table, int groupRows) throws IOException {
    Path path = folder.resolve("file.parquet");
    Files.deleteIfExists(path);
    CompressionCodecName codec = CompressionCodecName.UNCOMPRESSED;
    TestTables.write(
        table, new TestTables.Layout(codec, false, true, 1 << 20, 20, groupRows, false), path);
    return Files.readAllBytes(path);
  }

  @AfterEach
  void endSite() {
    FooterRoom.usual();
    site.remove();
  }

  private FoundFile found(int file) throws IOException {
    FileEntry entry = storage.stat(new Location(site.location() + "/" + file + ".parquet")).get();
    return new FoundFile(entry, storage, new ParquetFormat(), List.of());
  }

  private List<TableFile> read() throws IOException {
    List<FoundFile> found = new ArrayList<>();
    for (int f = 0; f < FILES; f++) {
      found.add(found(f));
    }
    return FooterReads.readAll(
        found,
        memory,
        (_, error) -> {
          throw error;
        });
  }

  private static FoundFile with(FoundFile file, LiveRows live) {
    return new FoundFile(
        file.entry(),
        file.storage(),
        file.format(),
        file.partition(),
        Map.of(),
        Optional.empty(),
        Optional.of(live),
        OptionalLong.empty(),
        Map.of(),
        Optional.empty());
  }

  private TableFile planned(FoundFile found, Footer like) {
    return TableFile.planned(
        found, Footer.planned(like.facts(), like.rowGroups(), PLAN, memory), Optional.empty());
  }

  @Test
  void aFooterThatIsKeptIsNotReadAgain() throws IOException {
    List<TableFile> files = read();
    int requests = site.requests().size();
    for (TableFile file : files) {
      assertThat(file.metadata().rowGroups()).isEqualTo(file.rowGroups()).hasSizeGreaterThan(1);
    }
    assertThat(site.requests()).hasSize(requests);
  }

  @Test
  void theFootersUsedLastAreKept() throws IOException {
    FooterRoom.none();
    List<TableFile> files = read();
    long size = files.getFirst().metadata().heapBytes();
    FooterRoom.of(2 * size + size / 2);
    files.get(0).metadata();
    files.get(1).metadata();
    files.get(0).metadata();
    files.get(2).metadata();
    assertThat(files.stream().map(file -> file.kept().isPresent()))
        .containsExactly(true, false, true);
  }

  @Test
  void aFooterThatWasDroppedIsReadAnewFromTheOpenFile() throws IOException {
    FooterRoom.none();
    TableFile file = read().getFirst();
    Schema schema = file.footer().schema();
    try (StorageFile opened = file.open()) {
      TableFile loaded = file.loaded(opened);
      int requests = site.requests().size();
      assertThat(loaded.metadata().schema()).isEqualTo(schema);
      assertThat(loaded.ranges(schema, 0, ROWS)).isNotEmpty();
      assertThat(site.requests()).hasSize(requests);
    }
    assertThat(file.kept()).isEmpty();
  }

  @Test
  void filesWithTheSameColumnsShareTheirSchema() throws IOException {
    List<TableFile> files = read();
    assertThat(files.get(1).footer().schema()).isSameAs(files.get(0).footer().schema());
  }

  @Test
  void aFileThatChangedAfterItsFooterWasDroppedIsAnError() throws IOException {
    FooterRoom.none();
    TableFile file = read().getFirst();
    site.put("0.parquet", parquet(TestTables.random(new Random(8), 2, ROWS), 40));
    assertThatThrownBy(file::metadata)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.location().text());
  }

  @Test
  void aPlannedFileIsReadWhenItsFooterIsWanted() throws IOException {
    TableFile read = read().getFirst();
    int requests = site.requests().size();
    TableFile planned = planned(found(0), read.footer());
    assertThat(planned.info()).isEqualTo(read.info());
    assertThat(planned.rowGroups()).isEqualTo(read.rowGroups());
    assertThat(site.requests()).hasSize(requests);
    assertThat(planned.metadata().schema()).isEqualTo(read.footer().schema());
    assertThat(site.requests().size()).isGreaterThan(requests);
  }

  @Test
  void aPlannedFileHasToHaveTheRowsOfThePlan() throws IOException {
    Footer footer = read().getFirst().footer();
    List<RowGroup> fewer = footer.rowGroups().subList(0, 1);
    Footer other = Footer.planned(footer.facts(), fewer, PLAN, memory);
    TableFile planned = TableFile.planned(found(0), other, Optional.empty());
    assertThatThrownBy(planned::metadata)
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("Cannot read the file: it has 100 rows of ")
        .hasMessageContaining(" row groups but had 40 rows of ")
        .hasMessageContaining("Make a new plan.");
  }

  @Test
  void aPlannedFileHasToHaveTheColumnsOfThePlan() throws IOException {
    Footer footer = read().getFirst().footer();
    Schema other = Schema.of(List.of(new Field("other", DataType.int64(), false)));
    TableFile planned =
        TableFile.planned(
            found(0),
            Footer.planned(
                new FileSchema(other, "", false, false), footer.rowGroups(), PLAN, memory),
            Optional.empty());
    assertThatThrownBy(planned::metadata)
        .hasMessageContaining("it has the columns [c0: ")
        .hasMessageContaining("but had [other: int64 not null]");
  }

  @Test
  void aPlannedFileFindsItsDeletedRowsWhenItIsRead() throws IOException {
    Footer footer = read().getFirst().footer();
    List<RowGroup> left = new ArrayList<>(footer.rowGroups());
    left.set(0, new RowGroup(left.getFirst().rowCount() - 2, left.getFirst().bytes()));
    RowSet live = RowSet.allBut(ROWS, LongStream.of(3, 5));
    int[] found = {0};
    FoundFile file =
        with(
            found(0),
            (_, _) -> {
              found[0]++;
              return Optional.of(live);
            });
    TableFile planned = TableFile.planned(file, footer, Optional.of(left));
    assertThat(planned.rowGroups()).isEqualTo(left);
    assertThat(planned.info().rows()).isEqualTo(ROWS - 2);
    assertThat(found[0]).isZero();
    try (StorageFile opened = planned.open()) {
      assertThat(planned.loaded(opened).live()).contains(live);
    }
    assertThat(planned.stored(0, 4).length()).isEqualTo(5);
    assertThat(found[0]).isEqualTo(1);
  }

  @Test
  void aPlannedFileHasToHaveTheDeletedRowsOfThePlan() throws IOException {
    Footer footer = read().getFirst().footer();
    FoundFile file = with(found(0), (_, _) -> Optional.empty());
    List<RowGroup> left = new ArrayList<>(footer.rowGroups());
    left.set(0, new RowGroup(1, left.getFirst().bytes()));
    TableFile planned = TableFile.planned(file, footer, Optional.of(left));
    try (StorageFile opened = planned.open()) {
      assertThatThrownBy(() -> planned.loaded(opened))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("it has 100 rows of ")
          .hasMessageContaining("but had 61 rows of ");
    }
  }
}
