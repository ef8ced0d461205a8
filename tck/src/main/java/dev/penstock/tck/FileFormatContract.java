package dev.penstock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.format.RowGroup;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.split.Rank;
import dev.penstock.tck.internal.Delivered;
import dev.penstock.tck.internal.FileInMemory;
import dev.penstock.tck.internal.NaiveFilter;
import dev.penstock.tck.internal.SliceRows;
import dev.penstock.tck.internal.StrictMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What every [FileFormat] promises, as tests: the rows that were written, in any part of a file,
/// behind a filter and after a stop, and an error that names the file where it is damaged.
///
/// Extend it in the tests of your format and say how its files are written. Tables are random; a
/// failure names the seed, and `-Dseed=N` runs the tests with that alone. All tests are in one
/// class, so that there is one to extend.
public abstract class FileFormatContract {
  /// How long a file may take before it counts as hanging.
  private static final Duration HANG = Duration.ofSeconds(60);

  @TempDir Path folder;

  /// Only for those who extend it.
  protected FileFormatContract() {}

  /// {@return the format, a writer of its files, and what these can hold}
  protected abstract FormatWriter writer();

  /// {@return the seeds that each random test runs with; ten by default}
  protected LongStream seeds() {
    return LongStream.range(0, 10);
  }

  /// A test of random files in a folder of its own.
  private interface Seeded {
    void run(Random random, Path folder) throws IOException;
  }

  private void withSeeds(Seeded test) {
    Long alone = Long.getLong("seed");
    for (long seed : alone == null ? seeds().toArray() : new long[] {alone}) {
      try {
        test.run(new Random(seed), Files.createDirectory(folder.resolve("seed-" + seed)));
      } catch (Exception | AssertionError failure) {
        throw new AssertionError("With -Dseed=" + seed + ": " + failure, failure);
      }
    }
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().output(OutputFormat.MAP).workers(2);
  }

  private StructuredDataset write(Path folder, Table table, Random layout) throws IOException {
    return writer().dataset(folder, table, layout).checked(true);
  }

  private static void assertRows(
      StructuredDataset dataset, LoaderOptions options, Table table, List<List<Object>> expected) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      Delivered.assertRows(
          table.toString(), Delivered.rows(loader, table.schema().names()), expected);
    }
  }

  // What is read

  @Test
  void rowsAreThoseThatWereWritten() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 3, writer());
      StructuredDataset dataset = write(folder, table, random);
      assertEquals(writer().read(table.schema()), dataset.schema());
      int batchSize = 1 + random.nextInt(150);
      assertRows(dataset, options().batchSize(batchSize), table, table.rows());
      try (DataLoader loader = DataLoader.of(dataset, options().batchSize(batchSize))) {
        assertEquals(Math.ceilDiv(table.rows().size(), batchSize), loader.batchesPerEpoch());
      }
    });
  }

  /// A loader asks for fewer rows at once.
  @Test
  void longRunsOfRowsAreRead() throws IOException {
    Random random = new Random(1);
    Schema schema = Table.random(random, 0, writer()).schema();
    Table table = new Table(schema, List.of(Table.file(random, schema, "part-0", 9_000, 20)));
    assertRows(write(folder, table, random), options().batchSize(3_000), table, table.rows());
  }

  @Test
  void columnsAreReadAloneAndInAnyOrder() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 2, writer());
      List<Integer> wanted = new ArrayList<>();
      for (int c = 0; c < table.schema().size(); c++) {
        wanted.add(c);
      }
      Collections.shuffle(wanted, random);
      wanted = wanted.subList(0, 1 + random.nextInt(wanted.size()));
      List<String> names = wanted.stream().map(table.schema().names()::get).toList();
      List<List<Object>> expected = new ArrayList<>();
      for (List<Object> row : table.rows()) {
        List<Object> values = new ArrayList<>();
        wanted.forEach(column -> values.add(row.get(column)));
        expected.add(values);
      }
      StructuredDataset dataset =
          write(folder, table, random).columns(names.toArray(String[]::new));
      try (DataLoader loader = DataLoader.of(dataset, options())) {
        Delivered.assertRows(table + ", " + names, Delivered.rows(loader, names), expected);
      }
    });
  }

  /// Each part of a file has its rows, and those of several ranks are all.
  @Test
  void partsOfFilesHaveTheirRows() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 1, writer());
      StructuredDataset dataset = write(folder, table, random).splitRows(1 + random.nextInt(20));
      assertRows(dataset, options().batchSize(7), table, table.rows());
      List<List<Object>> together = new ArrayList<>();
      int world = 2 + random.nextInt(3);
      for (int rank = 0; rank < world; rank++) {
        LoaderOptions options = options().batchSize(7).shuffle(true).rank(new Rank(rank, world));
        try (DataLoader loader = DataLoader.of(dataset, options)) {
          together.addAll(Delivered.rows(loader, table.schema().names()));
        }
      }
      Delivered.assertSameRows(table + " by " + world + " ranks", together, table.rows());
    });
  }

  /// Rows are shuffled whole: each value stays with the others of its row.
  @Test
  void shuffledRowsAreTheRowsThatWereWritten() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 2, writer());
      StructuredDataset dataset = write(folder, table, random).splitRows(11);
      try (DataLoader loader = DataLoader.of(dataset, options().shuffle(true).batchSize(13))) {
        List<List<Object>> rows = Delivered.rows(loader, table.schema().names());
        Delivered.assertSameRows(table.toString(), rows, table.rows());
      }
    });
  }

  // Filters

  @Test
  void filtersKeepTheRowsThatAPlainEvaluationKeeps() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 2, writer());
      StructuredDataset dataset = write(folder, table, random);
      for (int i = 0; i < 2; i++) {
        int depth = random.nextInt(3);
        assertKept(
            dataset, table, NaiveFilter.random(random, table.schema(), table.rows(), depth), 2);
      }
    });
  }

  /// Statistics rule out no row that is there: neither the least and greatest values of a row group
  /// nor its nulls.
  @Test
  void statisticsRuleOutNoRowThatIsThere() {
    withSeeds((random, folder) -> {
      Schema schema = Table.random(random, 0, writer()).schema();
      Table.DataFile file = Table.file(random, schema, "part-0", 20, 1, 30);
      Table table = new Table(schema, List.of(file));
      StructuredDataset dataset = write(folder, table, random);
      for (int column = 0; column < schema.size(); column++) {
        assertKept(dataset, table, NaiveFilter.isNull(schema, column), 1);
        if (NaiveFilter.isComparable(schema.fields().get(column).type())) {
          for (List<List<Object>> group : file.groups()) {
            for (NaiveFilter filter : NaiveFilter.ofEnds(schema, group, column)) {
              assertKept(dataset, table, filter, 1);
            }
          }
        }
      }
    });
  }

  /// Later epochs know what the first has found.
  private static void assertKept(
      StructuredDataset dataset, Table table, NaiveFilter wanted, int epochs) {
    try (DataLoader loader =
        DataLoader.of(dataset.filter(wanted.filter()), options().batchSize(50))) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        Delivered.assertRows(
            table + " where " + wanted.filter() + ", epoch " + epoch,
            Delivered.rows(loader, table.schema().names()),
            table.rows().stream().filter(wanted::keeps).toList());
      }
    }
  }

  // Stopping

  @Test
  void runThatStopsAfterAnyBatchGoesOnWithTheNext() {
    withSeeds((random, folder) -> {
      Table table = Table.random(random, 1, writer());
      List<String> names = table.schema().names();
      StructuredDataset dataset = write(folder, table, random).splitRows(1 + random.nextInt(50));
      LoaderOptions options =
          options().batchSize(1 + table.rows().size() / 12).shuffle(true).seed(5);
      List<List<List<Object>>> batches = new ArrayList<>();
      List<LoaderState> states = new ArrayList<>();
      try (DataLoader loader = DataLoader.of(dataset, options);
          EpochIterator<Batch> epoch = loader.iterator()) {
        states.add(saved(loader));
        while (epoch.hasNext()) {
          try (Batch batch = epoch.next()) {
            batches.add(Delivered.rows(batch, names));
          }
          states.add(saved(loader));
        }
      }
      for (int stop = 0; stop < states.size(); stop++) {
        List<List<Object>> rest = new ArrayList<>();
        LoaderState state = states.get(stop);
        try (DataLoader loader = DataLoader.of(dataset, options.workers(1))) {
          loader.resume(state);
          if (state.epoch() == 0) {
            rest.addAll(Delivered.rows(loader, names));
          }
        }
        Delivered.assertRows(
            table + ", resumed after " + stop + " batches",
            rest,
            batches.subList(stop, batches.size()).stream().flatMap(List::stream).toList());
      }
    });
  }

  private static LoaderState saved(DataLoader loader) {
    return LoaderState.parse(loader.state().toJson());
  }

  // Damage

  /// A file whose end is missing is an error, or has the rows before the cut where the format does
  /// not say where files end; the last of them may be a part of one: `12` of `123`.
  @Test
  void fileThatIsCutIsAnErrorThatNamesItOrHasTheRowsBeforeTheCut() {
    withSeeds((random, folder) -> {
      for (int i = 0; i < 4; i++) {
        int part = 1 + random.nextInt(99);
        Table table = damagedTable(random);
        String cut = table + ", cut at " + part + " %";
        StructuredDataset dataset =
            writeChanged(
                Files.createDirectory(folder.resolve("cut-" + i)),
                table,
                random,
                bytes -> Arrays.copyOf(bytes, bytes.length * part / 100));
        List<List<Object>> read = new ArrayList<>();
        boolean failed = isRefused(cut, dataset, read);
        assertTrue(failed || !writer().saysEnd(), () -> cut + ": no error, but rows " + read);
        List<List<Object>> before = read.subList(0, Math.max(0, read.size() - 1));
        Delivered.assertRows(cut, before, table.rows().subList(0, before.size()));
      }
    });
  }

  /// Damage that a format cannot notice gives other values; that it notices is an error.
  @Test
  void damagedBytesAreAnErrorThatNamesTheFileOrOtherValues() {
    withSeeds((random, folder) -> {
      for (int i = 0; i < 8; i++) {
        Table table = damagedTable(random);
        Path place = Files.createDirectory(folder.resolve("damaged-" + i));
        int[] damaged = {0, 0};
        StructuredDataset dataset =
            writeChanged(
                place,
                table,
                random,
                bytes -> {
                  damaged[0] = random.nextInt(bytes.length);
                  damaged[1] = bytes[damaged[0]] & 0xff;
                  bytes[damaged[0]] ^= (byte) (1 << random.nextInt(8));
                  return bytes;
                });
        String what = table + ", byte " + damaged[0] + " is not " + damaged[1];
        isRefused(what, dataset, new ArrayList<>());
      }
    });
  }

  private Table damagedTable(Random random) {
    Schema schema = Table.random(random, 1, writer()).schema();
    return new Table(schema, List.of(Table.file(random, schema, "part-0", 40, 30)));
  }

  private StructuredDataset writeChanged(
      Path place, Table table, Random layout, Function<byte[], byte[]> change) throws IOException {
    writer().write(place, table, layout);
    Path file = writer().path(place, table.files().getFirst());
    Files.write(file, change.apply(Files.readAllBytes(file)));
    return writer().open(place.toString(), table);
  }

  /// Reads what it can of one damaged file.
  ///
  /// @return whether it ended with the error that is due
  private static boolean isRefused(
      String what, StructuredDataset dataset, List<List<Object>> read) {
    try {
      assertTimeoutPreemptively(
          HANG,
          () -> {
            try (DataLoader loader = DataLoader.of(dataset, options().batchSize(1));
                EpochIterator<Batch> epoch = loader.iterator()) {
              while (epoch.hasNext()) {
                try (Batch batch = epoch.next()) {
                  read.addAll(Delivered.rows(batch, dataset.schema().names()));
                }
              }
            }
          },
          what);
      return false;
    } catch (RuntimeException | Error e) {
      if (namesFile(e)) {
        return true;
      }
      throw new AssertionError(
          what + ": expected a MalformedFileException that names the file, but got " + e, e);
    }
  }

  /// The loader's own error for a value that is out of range is another [IOException].
  private static boolean namesFile(@Nullable Throwable thrown) {
    return thrown != null
        && ((thrown instanceof IOException
                && String.valueOf(thrown.getMessage()).contains("part-0"))
            || namesFile(thrown.getCause()));
  }

  // What a reader does with what it is given

  @Test
  void formatIsRecognisedByItsNameAndItsFirstBytes() {
    FileFormat format = writer().format();
    assertEquals(format.name().toLowerCase(Locale.ROOT), format.name(), "the format's name");
    assertFalse(format.name().isBlank(), "the format's name is blank");
    for (String extension : format.extensions()) {
      assertEquals(extension.toLowerCase(Locale.ROOT), extension, "an extension");
      assertFalse(extension.startsWith("."), "an extension starts with a dot");
    }
    withSeeds((random, folder) -> {
      byte[] bytes = Files.readAllBytes(writeOne(folder, random));
      assertTrue(
          Arrays.equals(
              format.magic(), Arrays.copyOf(bytes, Math.min(bytes.length, format.magic().length))),
          "the file does not start with what magic() returns");
    });
  }

  private Path writeOne(Path folder, Random random) throws IOException {
    Table table = damagedTable(random);
    writer().write(folder, table, random);
    return writer().path(folder, table.files().getFirst());
  }

  private interface WithReader {
    void run(SliceReader reader, Schema columns, List<List<Object>> rows) throws IOException;
  }

  /// Opens a reader of some rows of a file, and checks what it leaves behind when it is closed.
  private void withReaders(WithReader test) {
    withSeeds((random, folder) -> {
      FileInMemory file = new FileInMemory(writeOne(folder, random));
      FileFormat format = writer().format();
      FileMetadata metadata = format.readMetadata(file);
      long all = metadata.rowCount();
      assertEquals(
          metadata.rowGroups().stream().mapToLong(RowGroup::rowCount).sum(), all, "rowCount()");
      for (int i = 0; i < 5; i++) {
        long first = random.nextLong(all);
        long rows = 1 + random.nextLong(all - first);
        Schema columns = readable(metadata.schema());
        for (ByteRange range : format.ranges(metadata, columns, first, rows)) {
          assertTrue(
              range.offset() >= 0 && range.length() <= file.size() - range.offset(),
              () -> "ranges() has " + range + " of a file of " + file.size() + " bytes");
        }
        StrictMemory memory = new StrictMemory();
        List<List<Object>> expected = new ArrayList<>();
        try (SliceReader reader = format.openReader(file, metadata, columns, first, rows, memory)) {
          for (int read = reader.next(1_000); read > 0; read = reader.next(1_000)) {
            expected.addAll(rows(reader, columns, read));
          }
        }
        SliceReader reader = format.openReader(file, metadata, columns, first, rows, memory);
        try {
          test.run(reader, columns, expected);
        } finally {
          reader.close();
          reader.close();
        }
        memory.assertNothingIsTaken();
        assertFalse(file.isClosed(), "the reader has closed its file");
      }
    });
  }

  /// A text format may know of a column only that it has no values.
  private static Schema readable(Schema schema) {
    return Schema.of(
        schema.fields().stream()
            .filter(field ->
                ReadRequest.isReadable(field.type()) && !(field.type() instanceof DataType.Null))
            .toList());
  }

  @Test
  void readersGiveAtMostTheRowsThatAreAskedForAndSkipOthers() {
    withReaders((reader, columns, rows) -> {
      List<List<Object>> left = rows;
      for (int most = 1; !left.isEmpty(); most = 1 + most % 7) {
        int done = Math.min(left.size(), 5);
        if (most == 5) {
          reader.skip(done);
        } else {
          done = slice(reader, columns, most, left);
        }
        left = left.subList(done, left.size());
      }
      assertEquals(0, reader.next(10), "next() behind the last row");
    });
  }

  @Test
  void readersThatAreClosedEarlyGiveEverythingBack() {
    withReaders((reader, columns, rows) -> slice(reader, columns, 3, rows));
  }

  private static int slice(SliceReader reader, Schema columns, int most, List<List<Object>> left)
      throws IOException {
    int rows = reader.next(most);
    if (rows < 1 || rows > Math.min(most, left.size())) {
      fail("next(" + most + ") returned " + rows + " where " + left.size() + " rows were left");
    }
    Delivered.assertRows("next(" + most + ")", rows(reader, columns, rows), left.subList(0, rows));
    return rows;
  }

  private static List<List<Object>> rows(SliceReader reader, Schema columns, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      rows.add(new ArrayList<>());
    }
    for (int c = 0; c < columns.size(); c++) {
      ColumnSlice slice = reader.column(c);
      String name = columns.names().get(c);
      assertEquals(count, slice.rowCount(), () -> "rows of the slice of column " + name);
      assertEquals(columns.fields().get(c).type(), slice.type(), () -> "type of " + name);
      for (int row = 0; row < count; row++) {
        rows.get(row).add(SliceRows.value(slice, row));
      }
    }
    return rows;
  }
}
