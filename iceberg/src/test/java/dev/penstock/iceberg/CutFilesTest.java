package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.ids;
import static dev.penstock.iceberg.CountingTable.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Metadata, data files and delete files that end too early are errors, wherever they are cut.
class CutFilesTest {
  @TempDir Path folder;

  /// A table of two data files and a delete file, all of Avro.
  private WrittenTable written(FileFormat format) throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, CountingTable.SCHEMA, PartitionSpec.unpartitioned(), 2, format);
    DataFile first = written.append(rows(0, 5)).getFirst();
    written.append(rows(5, 8));
    written.deletePositions(Map.of(first, new long[] {1, 3}));
    return written;
  }

  private static List<Record> rows(long from, long to) {
    return range(from, to).stream().map(id -> CountingTable.row(CountingTable.SCHEMA, id)).toList();
  }

  private List<Long> read() {
    return ids(IcebergDataset.metadata(folder.resolve("table").toString()).dataset());
  }

  private static Path path(String location) {
    return Path.of(location.replaceFirst("^file:", ""));
  }

  enum What {
    LIST,
    DATA_MANIFEST,
    DELETE_MANIFEST;

    Path in(Table table) {
      return path(
          switch (this) {
            case LIST -> table.currentSnapshot().manifestListLocation();
            case DATA_MANIFEST ->
                table.currentSnapshot().dataManifests(table.io()).getFirst().path();
            case DELETE_MANIFEST ->
                table.currentSnapshot().deleteManifests(table.io()).getFirst().path();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void cutMetadataIsAnErrorWhereverItIsCut(What what) throws IOException {
    Table table = written(FileFormat.PARQUET).table();
    Path file = what.in(table);
    byte[] whole = Files.readAllBytes(file);
    assertThat(read()).containsExactly(0L, 2L, 4L, 5L, 6L, 7L);
    int header = header(whole);
    for (int length = 0; length < whole.length; length += step(length, header, whole.length)) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::read)
          .as("%s of %s bytes", length, whole.length)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(file.toString());
    }
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(this::read)
        .hasMessageMatching(
            "Cannot read table '.*': Truncated Iceberg metadata: it ends within a block. Restore"
                + " the file, or read an older snapshot. \\[.*, byte "
                + (whole.length - 1)
                + "\\]");
  }

  /// Every byte at the ends, some between.
  private static int step(int length, int header, int size) {
    return length < 8 || Math.abs(length - header) < 8 || length > size - 24 ? 1 : 1 + size / 40;
  }

  private static int header(byte[] whole) {
    byte[] marker = Arrays.copyOfRange(whole, whole.length - 16, whole.length);
    int at = 0;
    while (!Arrays.equals(whole, at, at + 16, marker, 0, 16)) {
      at++;
    }
    return at + 16;
  }

  @Test
  void manifestThatIsCutBehindABlockIsAnError() throws IOException {
    WrittenTable written =
        WrittenTable.create(
            folder, CountingTable.SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    Table table = written.table();
    List<DataFile> files = written.append(rows(0, 5));
    DataFile second = CountingTable.write(table, 5, 8).getFirst();
    table.newOverwrite().deleteFile(files.getFirst()).commit();
    table.newAppend().appendFile(files.getFirst()).appendFile(second).commit();
    Path manifest = What.DATA_MANIFEST.in(table);
    byte[] whole = Files.readAllBytes(manifest);

    byte[] longer = blocks(whole, "null", 2);
    assertThat(longer).hasSizeGreaterThan(whole.length);
    Files.write(manifest, longer);
    assertThat(read()).hasSize(8); // The stated length is wrong, the counts are right.

    byte[] cut = blocks(whole, "deflate", 1);
    assertThat(cut).hasSizeLessThan(whole.length);
    Files.write(manifest, cut);
    assertThatThrownBy(this::read)
        .hasMessageContaining(
            "Truncated Iceberg metadata: it has 1 of 2 rows in "
                + cut.length
                + " of "
                + whole.length
                + " bytes, as the table's metadata says.");
  }

  @Test
  void manifestListThatNamesNothingIsAnErrorWhereTheSnapshotHasFiles() throws IOException {
    Table table = written(FileFormat.PARQUET).table();
    Path list = What.LIST.in(table);
    Files.write(list, blocks(Files.readAllBytes(list), "deflate", 0));
    assertThatThrownBy(this::read)
        .hasMessageContaining(
            "its snapshot has 2 data files but its manifest list names no manifest: ");
  }

  /// Writes the first rows of a file anew, each in a block of its own.
  static byte[] blocks(byte[] file, String codec, int rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileReader<GenericRecord> in =
            new DataFileReader<>(new SeekableByteArrayInput(file), new GenericDatumReader<>());
        DataFileWriter<GenericRecord> to =
            new DataFileWriter<>(new GenericDatumWriter<>(in.getSchema()))) {
      in.getMetaKeys().stream()
          .filter(key -> !key.startsWith("avro."))
          .forEach(key -> to.setMeta(key, in.getMeta(key)));
      to.setCodec(CodecFactory.fromString(codec));
      to.create(in.getSchema(), out);
      for (int i = 0; i < rows && in.hasNext(); i++) {
        to.append(in.next());
        to.sync();
      }
    }
    return out.toByteArray();
  }

  /// Avro's rows end where the file does, also behind a block.
  @Test
  void cutAvroFilesOfATableAreErrorsWhereverTheyAreCut() throws IOException {
    WrittenTable written = written(FileFormat.AVRO);
    Table table = written.table();
    try (var tasks = table.newScan().planFiles()) {
      for (var task : tasks) {
        requireWhole(path(task.file().location()));
        for (DeleteFile delete : task.deletes()) {
          requireWhole(path(delete.location()));
        }
      }
    }
  }

  private void requireWhole(Path file) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int header = header(whole);
    for (int length = 0; length < whole.length; length += step(length, header, whole.length)) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::read)
          .as("%s of %s bytes", length, whole.length)
          .hasStackTraceContaining(file.toString());
    }
    Files.write(file, whole);
    assertThat(read()).containsExactly(0L, 2L, 4L, 5L, 6L, 7L);
  }

  @Test
  void metadataIsCheckedWhoeverOpensItsFiles() throws IOException {
    Map<String, String> options = new HashMap<>(TestCatalogs.h2(folder));
    Table table =
        CountingTable.create(TestCatalogs.open(options), "db.t", PartitionSpec.unpartitioned(), 2);
    CountingTable.append(table, 0, 8);
    options.put("io-impl", LocalIO.class.getName());
    assertThat(ids(IcebergDataset.table("db.t", options).dataset())).hasSize(8);
    Path list = What.LIST.in(table);
    byte[] whole = Files.readAllBytes(list);
    Files.write(list, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> ids(IcebergDataset.table("db.t", options).dataset()))
        .hasMessageContaining("Truncated Iceberg metadata: it ends within a block.");
  }
}
