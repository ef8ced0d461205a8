package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files and folders that cannot be read: one sentence each, and nothing left behind.
class WrongFilesTest extends OwnFolder {
  private AbstractThrowableAssert<?, ? extends Throwable> failure() {
    return Failure.of(folder.dataset(), Folder.options()).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void missingFolderIsNamed() {
    Failure.of(new StructuredDataset(path + "/nowhere"), Folder.options())
        .hasMessage(
            "Cannot read '"
                + path
                + "/nowhere': no such file or folder. Check the path; relative paths start at the"
                + " working directory.");
  }

  @Test
  void homeIsNotWrittenAsShellsDo() {
    for (String location : List.of("~/nowhere", "~/nowhere/*.parquet")) {
      Failure.of(new StructuredDataset(location), Folder.options())
          .hasMessageStartingWith("Cannot read '" + location + "': ")
          .hasMessageEndingWith(
              " A leading ~ is the home folder to a shell, where it is not in quotes, and to nobody"
                  + " else: write the path in full.");
    }
  }

  @Test
  void emptyFolderIsNamed() {
    failure()
        .hasMessage(
            "Cannot find any data in '"
                + path
                + "': looked for data files (formats here: [arrow, avro, csv, json, jsonl, odd, orc, parquet, rows]) but found no files. Names"
                + " that start with '_' or '.' are skipped.");
  }

  @Test
  void folderOfHiddenFilesIsAsGoodAsEmpty() throws IOException {
    folder.write("_temporary/part-0.parquet", Folder.ID, Folder.ids(0, 3));
    folder.write(".part-1.parquet", Folder.ID, Folder.ids(0, 3));
    failure().hasMessageContaining("found no files. Names that start with '_' or '.'");
  }

  @Test
  void folderOfOtherFilesIsToldByItsFiles() throws IOException {
    Files.writeString(path.resolve("notes.txt"), "hello");
    Files.writeString(path.resolve("README"), "hello");
    failure().hasMessageContaining("found 1 .txt (notes.txt), 1 no extension (README).");
  }

  @Test
  void mixedFormatsAreListed() throws IOException {
    folder.counting(new int[] {3}, new int[] {3});
    Files.writeString(path.resolve("a.csv"), "a,b");
    failure()
        .hasMessage(
            "Cannot read '"
                + path
                + "' as one dataset: found 1 csv (a.csv), 2 parquet (part-0.parquet,"
                + " part-1.parquet). Choose one with format(), or a glob that leaves the others"
                + " out.");
    try (DataLoader loader = DataLoader.of(folder.dataset().format("parquet"), Folder.options())) {
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(6);
    }
  }

  @Test
  void fileFoundTwiceIsRefused() throws IOException {
    folder.counting(new int[] {3});
    StructuredDataset dataset = new StructuredDataset(path.toString(), path + "/*.parquet");
    Failure.of(dataset, Folder.options())
        .hasMessage(
            "Cannot read '%s' twice: it is found by '%s' and by '%s/*.parquet'. Name it once."
                .formatted(folder.part(0), path, path));
  }

  @Test
  void unknownSchemeListsTheStores() {
    assertThatThrownBy(() -> new StructuredDataset("nas://x").schema())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Cannot read 'nas://x': no store serves 'nas://'. Stores here serve: [abfs, abfss, az, fault, file, gcs, gs, hf, http, https, memory, odd, s3, s3a");
  }

  @Test
  void unknownFormatListsTheFormats() {
    assertThatThrownBy(() -> folder.dataset().format("xls"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot read format 'xls': no such format here. Formats are: [arrow, avro, csv, json, jsonl, odd, orc, parquet, rows].");
  }

  @Test
  void unknownColumnListsTheColumns() throws IOException {
    folder.counting(new int[] {3});
    Failure.of(folder.dataset().columns("id", "ID"), Folder.options())
        .hasMessage(
            "Cannot read column 'ID': no such column in %s. Did you mean 'id'? Columns are: [id]."
                .formatted(folder.part(0)))
        .hasCauseInstanceOf(SchemaMismatchException.class);
  }

  @Test
  void filesOfDifferentTypesAreNamedWithTheTypes() throws IOException {
    folder.counting(new int[] {3}, new int[] {3});
    Schema other = Schema.of(List.of(new Field("id", new DataType.Utf8(), false)));
    folder.write("part-2.parquet", other, List.of(List.of("x")));
    failure()
        .hasMessage(
            "Cannot read column 'id' as one column: it is int64 in %s but string in %s. Cast it"
                    .formatted(folder.part(0), folder.part(2))
                + " to one type with cast(), read other columns, leave one of the files out, or"
                + " rewrite it.")
        .hasCauseInstanceOf(SchemaMismatchException.class);
  }

  @Test
  void fileWithAColumnMoreIsNamed() throws IOException {
    folder.counting(new int[] {3});
    Schema more =
        Schema.of(
            List.of(Folder.ID.fields().getFirst(), new Field("x", new DataType.Utf8(), true)));
    folder.write("part-1.parquet", more, List.of(List.of(1L, "x")));
    failure()
        .hasMessage(
            "Cannot read column 'x' as one column: %s has it but %s has not. Allow missing"
                    .formatted(folder.part(1), folder.part(0))
                + " columns with missingColumns(), leave the column out of columns, leave one of the"
                + " files out, or rewrite it.");
  }

  @Test
  void columnsInAnotherOrderAndNullabilityAreOneTable() throws IOException {
    Field a = new Field("a", new DataType.Int(32, true), false);
    Field b = new Field("b", new DataType.Utf8(), true);
    folder.write("1.parquet", Schema.of(List.of(a, b)), List.of(List.of(1, "x")));
    Schema swapped = Schema.of(List.of(b, new Field("a", a.type(), true)));
    folder.write("2.parquet", swapped, List.of(java.util.Arrays.asList("y", null)));
    LoaderOptions options = Folder.options().nulls(dev.penstock.batch.NullPolicy.mask());
    try (DataLoader loader = DataLoader.of(folder.dataset(), options)) {
      assertThat(Delivery.ofEpoch(loader).rows())
          .containsExactly(List.of(1, "x"), java.util.Arrays.asList(null, "y"));
    }
  }

  @Test
  void columnOfATypeThatCannotBeReadIsRefusedByName() throws IOException {
    MessageType message =
        MessageTypeParser.parseMessageType(
            "message m { required int64 id; optional fixed_len_byte_array(20000000) big; optional"
                + " group s { optional int32 x; optional fixed_len_byte_array(20000000) y; } }");
    try (ParquetWriter<Group> writer = writer(folder.part(0), message).build()) {
      Group group = new SimpleGroup(message);
      group.add("id", 5L);
      group.addGroup("s").add("x", 7);
      writer.write(group);
    }
    String type = "fixed_len_byte_array(20000000)";
    refused("big", type);
    refused("s", "struct<x: int32, y: " + type + ">");
    try (DataLoader loader = DataLoader.of(folder.dataset().columns("id"), Folder.options())) {
      assertThat(Delivery.ofEpoch(loader).ids()).containsExactly(5L);
    }
  }

  private void refused(String column, String type) {
    Failure.of(folder.dataset().columns(column), Folder.options())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Unsupported type: column '"
                + column
                + "' is "
                + type
                + ", which cannot be read. Leave it out of columns, or write the file anew. ["
                + folder.part(0)
                + "]");
  }

  static ExampleParquetWriter.Builder writer(Path file, MessageType message) {
    return ExampleParquetWriter.builder(new LocalOutputFile(file))
        .withType(message)
        .withConf(new PlainParquetConfiguration());
  }

  @Test
  void filesWithoutRowsGiveEpochsWithoutBatches() throws IOException {
    folder.counting(new int[] {}, new int[] {0}, new int[] {0, 0});
    for (int workers : new int[] {0, 2}) {
      LoaderOptions options = Folder.options().workers(workers).shuffle(true);
      try (DataLoader loader = DataLoader.of(folder.dataset(), options)) {
        assertThat(loader.batchesPerEpoch()).isZero();
        assertThat(Delivery.ofEpoch(loader).batches()).isEmpty();
        assertThat(Delivery.ofEpoch(loader).batches()).isEmpty();
      }
    }
  }

  @Test
  void truncatedFileIsNamed() throws IOException {
    folder.counting(new int[] {500}, new int[] {500});
    try (RandomAccessFile file = new RandomAccessFile(folder.part(1).toFile(), "rw")) {
      file.setLength(file.length() - 20);
    }
    malformed()
        .hasMessageContaining("its end is missing")
        .hasMessageContaining(folder.part(1).toString());
  }

  @Test
  void fileOfAFewBytesIsNamed() throws IOException {
    Files.writeString(folder.part(0), "PAR1");
    malformed().hasMessageContaining(folder.part(0).toString());
    Files.writeString(folder.part(0), "");
    malformed().hasMessageContaining(folder.part(0).toString());
  }

  @Test
  void wrongFooterLengthIsNamed() throws IOException {
    folder.counting(new int[] {500});
    for (int length : new int[] {-1, 0, 7, 1 << 20, Integer.MAX_VALUE}) {
      try (RandomAccessFile file = new RandomAccessFile(folder.part(0).toFile(), "rw")) {
        file.seek(file.length() - 8);
        file.writeInt(Integer.reverseBytes(length));
      }
      malformed().hasMessageContaining(folder.part(0).toString());
    }
  }

  private AbstractThrowableAssert<?, ? extends Throwable> malformed() {
    return failure().hasCauseInstanceOf(MalformedFileException.class);
  }

  @Test
  void flippedByteIsFoundByTheChecksum() throws IOException {
    long offset = writePages(folder.part(0), true, CompressionCodecName.UNCOMPRESSED);
    flip(folder.part(0), offset, 1);
    malformed().hasMessageContaining(folder.part(0).toString()).hasMessageContaining("'id'");
  }

  @Test
  void flippedByteInACompressedPageWithoutChecksumIsFoundOrHarmless() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 10; i++) {
      long offset = writePages(folder.part(0), false, CompressionCodecName.ZSTD);
      flip(folder.part(0), offset - 30 + random.nextInt(200), 1 << random.nextInt(8));
      try {
        for (int workers : new int[] {0, 2}) {
          try (DataLoader loader =
              DataLoader.of(folder.dataset(), Folder.options().workers(workers))) {
            Delivery.ofEpoch(loader);
          }
        }
      } catch (UncheckedIOException e) {
        assertThat(e)
            .hasMessageContaining(folder.part(0).toString())
            .hasCauseInstanceOf(MalformedFileException.class);
      }
      nothingIsLeft();
    }
  }

  /// Writes 1000 rows in pages of 100 and returns where the fifth page's data lie.
  static long writePages(Path file, boolean checksums, CompressionCodecName codec)
      throws IOException {
    Files.deleteIfExists(file);
    MessageType message = ParquetFiles.message(Folder.ID);
    try (ParquetWriter<Group> writer =
        writer(file, message)
            .withPageRowCountLimit(100)
            .withDictionaryEncoding(false)
            .withCompressionCodec(codec)
            .withPageWriteChecksumEnabled(checksums)
            .build()) {
      for (List<Object> row : Folder.ids(0, 1000)) {
        writer.write(ParquetFiles.group(message, Folder.ID, row));
      }
    }
    return fifthPage(file, 0);
  }

  private static long fifthPage(Path file, int column) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return reader
              .readOffsetIndex(reader.getRowGroups().getFirst().getColumns().get(column))
              .getOffset(4)
          + 60;
    }
  }

  static void flip(Path path, long offset, int bits) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(offset);
      int value = file.read();
      file.seek(offset);
      file.write(value ^ bits);
    }
  }

  @Test
  void batchesBeforeABadPageAreDeliveredWhateverTheNumberOfWorkers() throws IOException {
    folder.counting(new int[] {300});
    long offset = writePages(folder.part(1), true, CompressionCodecName.UNCOMPRESSED);
    flip(folder.part(1), offset, 1);
    folder.write("part-2.parquet", Folder.ID, Folder.ids(0, 300));
    for (int batchSize : new int[] {1, 7, 50, 333, 1024}) {
      Failure failure = Failure.meet(folder.dataset(), Folder.options().batchSize(batchSize));
      assertThat(failure.thrown()).hasMessageContaining(folder.part(1).toString());
      assertThat(failure.batches()).hasSize(700 / batchSize);
    }
  }

  /// Also in a later epoch, which need not read the filter's column for the rows before it.
  @ParameterizedTest
  @CsvSource({
    "x >= 0.0, 0, 400",
    "x >= 0.0, 1, 400",
    "id < 100 or id >= 420, 1, 100",
    "id >= 50, 1, 350",
    "id < 50 or x > 480.0, 1, 50",
    "id != 7, 0, 399",
  })
  void batchesBeforeABadPageAreDeliveredBehindAFilter(String where, int column, int rows)
      throws IOException {
    flip(folder.part(0), writeTwoColumns(folder.part(0), column), 1);
    StructuredDataset dataset = folder.dataset().where(where);
    for (int batchSize : new int[] {1, 7, 50, 1024}) {
      Failure failure = Failure.meet(dataset, Folder.options().batchSize(batchSize));
      assertThat(failure.thrown()).hasMessageContaining(folder.part(0).toString());
      assertThat(failure.batches()).hasSize(rows / batchSize);
    }
  }

  /// Writes 1000 rows in pages of 100, and returns where the data of a column's fifth page lie.
  private static long writeTwoColumns(Path file, int column) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("x", new DataType.Floating(64), false)));
    MessageType message = ParquetFiles.message(schema);
    try (ParquetWriter<Group> writer =
        writer(file, message)
            .withPageRowCountLimit(100)
            .withDictionaryEncoding(false)
            .withPageWriteChecksumEnabled(true)
            .build()) {
      for (long id = 0; id < 1000; id++) {
        writer.write(ParquetFiles.group(message, schema, List.of(id, (double) id)));
      }
    }
    return fifthPage(file, column);
  }

  @Test
  void nullIsReportedAfterTheBatchesBeforeItWhateverTheNumberOfWorkers() throws IOException {
    Schema schema = Schema.of(List.of(new Field("i", new DataType.Int(32, true), true)));
    Integer[] values = new Integer[30_000];
    java.util.Arrays.setAll(values, i -> i == 12_345 || i == 20_000 ? null : i);
    List<List<Object>> rows =
        java.util.Arrays.stream(values).map(i -> java.util.Arrays.asList((Object) i)).toList();
    Path file = folder.write("part-0.parquet", schema, rows);
    for (int batchSize : new int[] {100, 5000, 40_000}) {
      LoaderOptions options = Folder.options().batchSize(batchSize);
      Failure failure = Failure.meet(folder.dataset(), options);
      assertThat(failure.thrown()).hasMessageContaining("[" + file + ", row 12345]");
      assertThat(failure.batches()).hasSize(12_345 / batchSize);
      failure =
          Failure.meet(
              folder.dataset(),
              options.nulls(dev.penstock.batch.NullPolicy.error()).features("x", "i"));
      assertThat(failure.thrown()).hasMessageContaining("[" + file + ", row 12345]");
      assertThat(failure.batches()).hasSize(12_345 / batchSize);
    }
  }

  @Test
  void fileDeletedAfterPlanningIsNamed() throws IOException {
    folder.counting(new int[] {25}, new int[] {25}, new int[] {25});
    StructuredDataset dataset = folder.dataset();
    assertThat(dataset.files()).hasSize(3);
    Files.delete(folder.part(1));
    Files.delete(folder.part(2));
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10);
    assertThat(failure.thrown())
        .hasMessage(
            "Cannot read '%s': it is gone. List the dataset again, or restore the file."
                .formatted(folder.part(1)));
  }

  @Test
  void fileChangedAfterPlanningIsNamed() throws IOException {
    folder.counting(new int[] {25}, new int[] {25});
    StructuredDataset dataset = folder.dataset();
    long before = dataset.files().get(1).bytes();
    Files.writeString(folder.part(1), "more", StandardOpenOption.APPEND);
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10);
    assertThat(failure.thrown())
        .hasMessage(
            "Cannot read the file: it has %s bytes but had %s when the dataset was planned. Make a"
                    .formatted(before + 4, before)
                + " new dataset to read the changed file. ["
                + folder.part(1)
                + "]");
  }

  @Test
  void fileReplacedByOneOfTheSameSizeIsNamed() throws IOException {
    folder.counting(new int[] {25}, new int[] {25});
    StructuredDataset dataset = folder.dataset();
    var _ = dataset.files();
    Files.setLastModifiedTime(folder.part(1), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10);
    assertThat(failure.thrown())
        .hasMessageStartingWith("Cannot read the file: its version is '2001-02-03T04:05:06Z, here ")
        .hasMessageEndingWith(
            "' when the dataset was planned. Make a new dataset to read the changed file. ["
                + folder.part(1)
                + "]");
  }

  @Test
  void fileReplacedByOneOfTheSameSizeAndTimeIsNamed() throws IOException {
    folder.counting(new int[] {25}, new int[] {25});
    StructuredDataset dataset = folder.dataset();
    var _ = dataset.files();
    FileTime time = Files.getLastModifiedTime(folder.part(1));
    Path made = Files.copy(folder.part(1), path.resolve("_made"));
    Files.setLastModifiedTime(made, time);
    Files.move(made, folder.part(1), StandardCopyOption.REPLACE_EXISTING);
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10);
    assertThat(failure.thrown())
        .hasMessageStartingWith("Cannot read the file: its version is '" + time + ", here ");
  }

  @Test
  void unreadableFolderIsNamed() throws IOException {
    Path locked = Files.createDirectory(path.resolve("locked"));
    folder.counting(new int[] {3});
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
    try {
      Assumptions.assumeFalse(
          Files.isReadable(locked), "this user may read everything: nothing to test");
      failure()
          .hasMessage(
              "Cannot read '" + locked + "': permission denied. Allow this user to read it.");
    } finally {
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void folderThatItsStoreCannotListIsAnError() throws IOException {
    folder.counting(new int[] {3});
    FaultStorage.Site site = FaultStorage.over(path);
    site.onList(location -> {
      throw new IOException("Cannot read '" + location + "': permission denied.");
    });
    Failure.of(new StructuredDataset(site.location()), Folder.options())
        .hasMessage("Cannot read '" + site.location() + "': permission denied.");
  }

  @Test
  void footerThatCannotBeReadIsAnErrorOfTheFirstSuchFile() throws IOException {
    folder.counting(new int[] {3}, new int[] {3}, new int[] {3});
    FaultStorage.Site site = FaultStorage.over(path);
    site.onRead(location -> {
      if (!location.text().contains("part-0")) {
        throw new IOException("Cannot read '" + location + "': the disk is on fire.");
      }
    });
    Failure.of(new StructuredDataset(site.location()), Folder.options())
        .hasMessage("Cannot read '" + site.location() + "/part-1.parquet': the disk is on fire.");
    assertThat(site.openFiles()).isZero();
  }

  @Test
  void errorOfTheStoreThatDoesNotNameItsFileGetsTheName() throws IOException {
    folder.counting(new int[] {30}, new int[] {30});
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(2);
    site.onRead(location -> {
      if (location.text().contains("part-1")) {
        throw new IOException((String) null);
      }
    });
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10, 10);
    assertThat(failure.thrown())
        .hasMessage(
            "Cannot read rows [0, 30) of %s/part-1.parquet: java.io.IOException"
                .formatted(site.location()));
    assertThat(site.openFiles()).isZero();
  }

  @Test
  void fileIsClosedThoughItsStoreFailsBeforeTheFirstRead() throws IOException {
    folder.counting(new int[] {30}, new int[] {30});
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(2);
    site.onAdvice(location -> {
      if (location.text().contains("part-1")) {
        throw new IOException("the token is gone");
      }
    });
    Failure failure = Failure.meet(dataset, Folder.options());
    assertThat(failure.batches()).containsExactly(10, 10, 10);
    assertThat(failure.thrown()).hasMessageContaining("part-1").hasMessageContaining("the token");
    assertThat(site.openFiles()).isZero();
  }

  @Test
  void readThatFailsOnlyOnceIsReportedAllTheSame() throws IOException {
    folder.counting(new int[] {30, 30}, new int[] {30});
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset all = new StructuredDataset(site.location());
    assertThat(all.files()).hasSize(2);
    for (StructuredDataset dataset : List.of(all, all.where("id != 7 and id != 65"))) {
      for (int workers : new int[] {0, 1, 2}) {
        AtomicInteger reads = new AtomicInteger();
        int failing = 0;
        boolean failed = true;
        while (failed) {
          int last = ++failing;
          reads.set(0);
          site.onRead(_ -> {
            if (reads.incrementAndGet() == last) {
              throw new IOException("Cannot read: a hiccup.");
            }
          });
          try (DataLoader loader = DataLoader.of(dataset, Folder.options().workers(workers))) {
            Throwable thrown = catchThrowable(() -> Delivery.ofEpoch(loader));
            failed = reads.get() >= last;
            assertThat(thrown != null)
                .as("read %s of %s, %s workers, %s", last, reads, workers, dataset.filter())
                .isEqualTo(failed);
          }
        }
        assertThat(failing).isGreaterThan(2);
      }
    }
  }

  @Test
  void bugInAStoreReachesTheConsumerWithItsCause() throws IOException {
    folder.counting(new int[] {30}, new int[] {30});
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset dataset = new StructuredDataset(site.location());
    assertThat(dataset.files()).hasSize(2);
    site.onOpen(location -> {
      if (location.text().contains("part-1")) {
        throw new ArrayIndexOutOfBoundsException(17);
      }
    });
    Failure.of(dataset, Folder.options())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "Cannot decode rows [0, 30) of %s/part-1.parquet".formatted(site.location()))
        .rootCause()
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
    assertThat(site.openFiles()).isZero();
  }

  @Test
  void wrongOptionsAreRefusedAtOnce() {
    LoaderOptions options = LoaderOptions.defaults();
    assertThatThrownBy(() -> options.batchSize(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("batchSize must be at least 1, got 0.");
    assertThatThrownBy(() -> options.workers(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workers must be 0 or more, got -1.");
    assertThatThrownBy(() -> options.prefetchFactor(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefetchFactor must be at least 1, got 0.");
    assertThatThrownBy(() -> new StructuredDataset(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A dataset needs at least one location.");
    assertThatThrownBy(() -> new StructuredDataset(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot use ' ' as a location: it is blank.");
    assertThatThrownBy(() -> folder.dataset().columns(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns needs at least one name.");
    assertThatThrownBy(() -> folder.dataset().columns("a", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns must not contain null, got it as number 2 of 2.");
    assertThatThrownBy(() -> new StructuredDataset((String) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("locations must not contain null, got it as number 1 of 1.");
    assertThatThrownBy(() -> options.features("x", (String) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Feature matrix 'x' must not contain null, got it as number 1 of 1.");
    assertThatThrownBy(() -> folder.dataset().columns("a", "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot read column 'a' twice: name it once in columns.");
    assertThatThrownBy(() -> folder.dataset().splitRows(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("splitRows must be at least 1, got 0.");
    assertThatThrownBy(() -> folder.dataset().splitBytes("many"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'many'");
  }
}
