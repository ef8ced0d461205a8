package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StructuredDataset;
import dev.penstock.iceberg.internal.files.ReadFiles;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What delete files do, and what becomes of wrong ones.
class DeletesTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "s", Types.StructType.of(optional(3, "k", Types.IntegerType.get()))));

  @TempDir private Path folder;

  private WrittenTable create(int version, FileFormat format) {
    return WrittenTable.create(folder, SCHEMA, PartitionSpec.unpartitioned(), version, format);
  }

  private static List<Record> rows(long from, long to) {
    Types.StructType struct = SCHEMA.findType("s").asStructType();
    return LongStream.range(from, to)
        .mapToObj(id -> {
          GenericRecord part = GenericRecord.create(struct);
          part.setField("k", id % 10 == 9 ? null : (Object) (int) (id % 10));
          GenericRecord row = GenericRecord.create(SCHEMA);
          row.setField("id", id);
          row.setField("s", id % 7 == 0 ? null : part);
          return (Record) row;
        })
        .toList();
  }

  private static List<Record> ids(long... ids) {
    Schema byId = SCHEMA.select("id");
    return LongStream.of(ids)
        .mapToObj(id -> {
          GenericRecord key = GenericRecord.create(byId);
          key.setField("id", id);
          return (Record) key;
        })
        .toList();
  }

  private static List<Long> read(WrittenTable written, ReadFiles files) {
    return ReadTable.read(
            new ReadTable(written.table(), files).dataset().columns("id"), options -> options)
        .stream()
        .map(row -> Long.valueOf(row.substring(3).trim()))
        .sorted()
        .toList();
  }

  private static List<Long> read(WrittenTable written) {
    return read(written, new ReadTable.LocalFiles());
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  /// Counts how often files are opened.
  private static final class CountedFiles extends ReadTable.LocalFiles {
    private final Map<String, AtomicInteger> opened = new ConcurrentHashMap<>();

    @Override
    public StorageFile open(String path) throws IOException {
      opened.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
      return super.open(path);
    }
  }

  @Test
  void rowsWrittenAfterTheirKeyWasDeletedStay() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    written.append(rows(0, 10));
    written.deleteEqual(SCHEMA.select("id"), ids(3, 4), null);
    written.append(rows(3, 4));
    written.deleteEqual(SCHEMA.select("id"), ids(5), null);
    written.append(rows(5, 7));
    assertThat(read(written)).containsExactly(0L, 1L, 2L, 3L, 5L, 6L, 6L, 7L, 8L, 9L);
  }

  @Test
  void filtersFindTheRowsBehindDeletedOnesInEveryRowGroup() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    written.append(rows(0, 10_000));
    written.deleteEqual(SCHEMA.select("id"), ids(3, 4, 2000, 2001, 7777), null);
    StructuredDataset dataset = new ReadTable(written.table()).dataset().columns("id");
    assertThat(dataset.files().getFirst().rowGroups()).hasSizeGreaterThan(3);
    for (long from = 0; from < 10_000; from += 199) {
      List<String> expected =
          LongStream.range(from, 10_000)
              .filter(id -> id != 3 && id != 4 && id != 2000 && id != 2001 && id != 7777)
              .mapToObj(id -> "id=" + id + " ")
              .toList();
      assertThat(ReadTable.read(dataset.where("id >= " + from), options -> options))
          .isEqualTo(expected);
    }
  }

  /// Each has a dictionary of its own, of as many texts of the same length.
  @Test
  void textsOfEveryRowGroupAreLookedUpAnew() throws IOException {
    Schema schema =
        new Schema(
            required(1, "id", Types.LongType.get()), required(2, "text", Types.StringType.get()));
    WrittenTable written =
        WrittenTable.create(folder, schema, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    Schema byText = schema.select("text");
    List<Record> rows = new ArrayList<>();
    List<Record> deleted = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (long id = 0; id < 20_000; id++) {
      boolean isDeleted = id / 10 % 3 == 0;
      String text = String.format(Locale.ROOT, "%06d", id / 10);
      GenericRecord row = GenericRecord.create(schema);
      row.setField("id", id);
      row.setField("text", text);
      rows.add(row);
      if (!isDeleted) {
        expected.add(id);
      } else if (id % 10 == 0) {
        GenericRecord key = GenericRecord.create(byText);
        key.setField("text", text);
        deleted.add(key);
      }
    }
    written.append(rows);
    written.deleteEqual(byText, deleted, null);
    assertThat(read(written)).isEqualTo(expected);
  }

  @Test
  void rowsThatCameWithTheDeleteOfTheirKeyStay() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    written.append(rows(0, 10));
    written.upsert(SCHEMA.select("id"), ids(3, 4), rows(3, 5));
    written.upsert(SCHEMA.select("id"), ids(4, 5, 11), rows(11, 13));
    assertThat(read(written)).containsExactly(0L, 1L, 2L, 3L, 6L, 7L, 8L, 9L, 11L, 12L);
  }

  @EachFileFormat
  void aPartOfAStructMayBeTheKey(FileFormat format) throws IOException {
    WrittenTable written = create(2, format);
    written.append(rows(0, 1000));
    Schema byPart = SCHEMA.select("s.k");
    GenericRecord key = GenericRecord.create(byPart);
    GenericRecord part = GenericRecord.create(byPart.findType("s").asStructType());
    part.setField("k", 4);
    key.setField("s", part);
    GenericRecord none = GenericRecord.create(byPart);
    GenericRecord nothing = GenericRecord.create(byPart.findType("s").asStructType());
    none.setField("s", nothing);
    written.deleteEqual(byPart, List.of(key, none), null);
    // A part of a struct that is null is null itself.
    assertThat(read(written))
        .isEqualTo(
            LongStream.range(0, 1000)
                .filter(id -> id % 7 != 0 && id % 10 != 4 && id % 10 != 9)
                .boxed()
                .toList());
  }

  @Test
  void aDeleteFileIsReadOnceForAllDataFiles() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    Map<DataFile, long[]> places = new ConcurrentHashMap<>();
    for (int i = 0; i < 20; i++) {
      written
          .append(rows(i * 10L, i * 10L + 10))
          .forEach(file -> places.put(file, new long[] {1, 9}));
    }
    DeleteFile byPlace = written.deletePositions(places);
    DeleteFile byKey = written.deleteEqual(SCHEMA.select("id"), ids(5, 15, 25, 195), null);
    CountedFiles files = new CountedFiles();
    assertThat(read(written, files))
        .isEqualTo(
            LongStream.range(0, 200)
                .filter(id -> id % 10 != 1 && id % 10 != 9)
                .filter(id -> id != 5 && id != 15 && id != 25 && id != 195)
                .boxed()
                .toList());
    assertThat(files.opened.get(byPlace.location())).hasValue(1);
    assertThat(files.opened.get(byKey.location())).hasValue(1);
  }

  @Test
  void metadataColumnsSayWhereARowIs() throws IOException {
    WrittenTable written = create(3, FileFormat.PARQUET);
    DataFile first = written.append(rows(0, 5)).getFirst();
    DataFile second = written.append(rows(5, 9)).getFirst();
    written.deleteByVectors(Map.of(first, new long[] {0, 3}));
    List<String> columns = IcebergRows.METADATA_COLUMNS;
    List<String> read =
        ReadTable.sorted(
            ReadTable.read(
                new ReadTable(written.table(), columns.toArray(String[]::new))
                    .dataset()
                    .columns(
                        "id",
                        "_file",
                        "_pos",
                        "_spec_id",
                        "_row_id",
                        "_last_updated_sequence_number")
                    .splitRows(1),
                options -> options.workers(2)));
    List<String> expected = new ArrayList<>();
    for (long id : new long[] {1, 2, 4, 5, 6, 7, 8}) {
      boolean old = id < 5;
      expected.add(
          "id="
              + id
              + " _file="
              + (old ? first : second).location()
              + " _pos="
              + (old ? id : id - 5)
              + " _spec_id=0 _row_id="
              + id
              + " _last_updated_sequence_number="
              + (old ? 1 : 2)
              + " ");
    }
    assertThat(read).isEqualTo(expected);
    assertThatThrownBy(() -> new ReadTable(written.table(), "_partition"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot read metadata column '_partition': those that can be read are [_file, _pos,"
                + " _spec_id, _row_id, _last_updated_sequence_number].");
  }

  @Test
  void allRowsOfAFileMayBeDeleted() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    DataFile gone = written.append(rows(0, 300)).getFirst();
    written.append(rows(300, 310));
    written.deletePositions(Map.of(gone, LongStream.range(0, 300).toArray()));
    assertThat(read(written)).isEqualTo(range(300, 310));
  }

  private static void failsWith(WrittenTable written, String... parts) {
    assertThatThrownBy(() -> read(written))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void aRowBeyondTheFileIsAnError() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    DeleteFile delete = written.deletePositions(Map.of(file, new long[] {3, 10}));
    failsWith(
        written,
        "Corrupt delete file: it deletes row 10 of " + file.location(),
        "whose rows are [0, 10).",
        delete.location());
  }

  @Test
  void aVectorBeyondTheFileIsAnError() throws IOException {
    WrittenTable written = create(3, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    DeleteFile delete = written.deleteByVectors(Map.of(file, new long[] {3, 10})).getFirst();
    failsWith(written, "it deletes row 10 of " + file.location(), delete.location());
  }

  @Test
  void aMissingDeleteFileIsAnError() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    DeleteFile delete = written.deletePositions(Map.of(file, new long[] {3}));
    Files.delete(Path.of(delete.location()));
    failsWith(written, delete.location());
  }

  @EachFileFormat
  void aTruncatedDeleteFileIsAnError(FileFormat format) throws IOException {
    WrittenTable written = create(2, format);
    DataFile file = written.append(rows(0, 10)).getFirst();
    Path delete = Path.of(written.deletePositions(Map.of(file, new long[] {3})).location());
    byte[] bytes = Files.readAllBytes(delete);
    Files.write(delete, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    failsWith(written, delete.toString());
  }

  @Test
  void aDataFileInPlaceOfADeleteFileIsAnError() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    Path byPlace = Path.of(written.deletePositions(Map.of(file, new long[] {3})).location());
    Files.copy(
        Path.of(file.location()), byPlace, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    failsWith(
        written,
        "Corrupt position delete file: it has no column 'file_path' of string. Columns are:",
        byPlace.toString());
  }

  @Test
  void aKeyThatTheDeleteFileLacksIsAnError() throws IOException {
    WrittenTable written = create(2, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    Path other = Path.of(written.deletePositions(Map.of(file, new long[] {3})).location());
    Path byKey = Path.of(written.deleteEqual(SCHEMA.select("id"), ids(4), null).location());
    Files.copy(other, byKey, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    failsWith(
        written,
        "Corrupt equality delete file: it deletes by field 1 but has no column of that field id",
        byKey.toString());
  }

  @Test
  void damagedVectorsAreErrors() throws IOException {
    WrittenTable written = create(3, FileFormat.PARQUET);
    DataFile file = written.append(rows(0, 10)).getFirst();
    DeleteFile vector = written.deleteByVectors(Map.of(file, new long[] {3, 5})).getFirst();
    Path path = Path.of(vector.location());
    byte[] whole = Files.readAllBytes(path);
    int start = Math.toIntExact(vector.contentOffset());

    Files.write(path, java.util.Arrays.copyOf(whole, start + 10));
    failsWith(
        written, "Truncated deletion vector", "the file has " + (start + 10), path.toString());

    for (int place : new int[] {0, 4, 9, 15, 17, 20, 30, 40}) {
      byte[] damaged = whole.clone();
      damaged[start + place] ^= 0x41;
      Files.write(path, damaged);
      failsWith(written, "Corrupt deletion vector", path.toString());
    }
  }
}
