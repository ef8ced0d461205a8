package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What of a data file is read to find its deleted rows.
class KeyScanTest {
  private static final int ROWS = 8000;
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "day", Types.DateType.get()),
          optional(3, "text", Types.StringType.get()));

  @TempDir private Path folder;

  /// A file that takes note of what is expected and read.
  private record Noted(StorageFile file, List<ByteRange> expected, List<ByteRange> read)
      implements AheadFile {
    @Override
    public Location location() {
      return file.location();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public String version() {
      return file.version();
    }

    @Override
    public Optional<FetchAdvice> advice() {
      return file.advice();
    }

    @Override
    public void expect(List<ByteRange> ranges) {
      expected.addAll(ranges);
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      read.add(new ByteRange(offset, target.byteSize()));
      return file.read(offset, target);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }

    long expectedBytes() {
      return expected.stream().mapToLong(ByteRange::length).sum();
    }
  }

  /// Row n has the id n and the day n / 100, but none where n divides by 7.
  private WrittenTable table() throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    List<Record> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      GenericRecord row = GenericRecord.create(SCHEMA);
      row.setField("id", id);
      row.setField(
          "day", id < 4000 && id % 7 == 0 ? null : java.time.LocalDate.ofEpochDay(id / 100));
      row.setField("text", "text " + id);
      rows.add(row);
    }
    written.append(rows);
    return written;
  }

  private static void delete(WrittenTable written, String column, @Nullable Object... values)
      throws IOException {
    Schema by = SCHEMA.select(column);
    List<Record> keys = new ArrayList<>();
    for (Object value : values) {
      GenericRecord key = GenericRecord.create(by);
      key.setField(column, value);
      keys.add(key);
    }
    written.deleteEqual(by, keys, null);
  }

  /// Finds what is left of the only file, and notes how.
  private static Noted scan(WrittenTable written, List<Long> left) throws IOException {
    CatalogFile file = new ReadTable(written.table()).files(Optional.empty()).files().getFirst();
    try (StorageFile opened = file.storage().open(file.entry())) {
      FileMetadata metadata = file.format().readMetadata(opened);
      assertThat(metadata.rowGroups()).hasSizeGreaterThan(4);
      Noted noted = new Noted(opened, new ArrayList<>(), new ArrayList<>());
      RowSet rows = file.live().orElseThrow().find(noted, metadata).orElseThrow();
      LongStream.range(0, rows.count()).map(rows::row).forEach(left::add);
      assertThat(noted.read)
          .allSatisfy(read ->
              assertThat(noted.expected)
                  .anyMatch(range ->
                      range.offset() <= read.offset()
                          && read.offset() + read.length() <= range.offset() + range.length()));
      return noted;
    }
  }

  private static List<Long> allBut(java.util.function.LongPredicate deleted) {
    return LongStream.range(0, ROWS).filter(deleted.negate()).boxed().toList();
  }

  @Test
  void keyColumnsAreExpectedBeforeTheyAreRead() throws IOException {
    WrittenTable written = table();
    delete(written, "id", LongStream.range(0, ROWS).filter(id -> id % 50 == 3).boxed().toArray());
    List<Long> left = new ArrayList<>();
    Noted all = scan(written, left);
    assertThat(left).isEqualTo(allBut(id -> id % 50 == 3));
    assertThat(all.read).isNotEmpty();
    assertThat(all.expectedBytes()).isBetween(8L * ROWS, all.size() / 2);
  }

  @Test
  void rowGroupsWithoutADeletedKeyAreNotRead() throws IOException {
    WrittenTable written = table();
    delete(written, "id", 700L, 703L, -5L, ROWS + 1L);
    List<Long> left = new ArrayList<>();
    Noted few = scan(written, left);
    assertThat(left).isEqualTo(allBut(id -> id == 700 || id == 703));
    assertThat(few.read).isNotEmpty();
    assertThat(few.expectedBytes()).isBetween(1L, 2L * ROWS);
  }

  @Test
  void rowGroupsWithNullsAreReadWhereNullsAreDeleted() throws IOException {
    WrittenTable written = table();
    delete(written, "day", java.time.LocalDate.ofEpochDay(79), null);
    List<Long> left = new ArrayList<>();
    Noted noted = scan(written, left);
    assertThat(left).isEqualTo(allBut(id -> id / 100 == 79 || (id < 4000 && id % 7 == 0)));
    assertThat(noted.expected).isNotEmpty();
  }

  @Test
  void nothingIsReadWhereNoKeyIsInTheFile() throws IOException {
    WrittenTable written = table();
    delete(written, "id", -1L, ROWS + 1L);
    CatalogFile file = new ReadTable(written.table()).files(Optional.empty()).files().getFirst();
    try (StorageFile opened = file.storage().open(file.entry())) {
      Noted noted = new Noted(opened, new ArrayList<>(), new ArrayList<>());
      FileMetadata metadata = file.format().readMetadata(opened);
      assertThat(file.live().orElseThrow().find(noted, metadata)).isEmpty();
      assertThat(noted.read).isEmpty();
    }
  }
}
