package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.RemoteReadsTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.CsvFiles;
import dev.penstock.blackbox.files.JsonRows;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Site;
import dev.penstock.testing.Ring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How files of each format are read behind a network: planned with a few requests, and then the
/// bytes that are wanted, with few requests, and none twice.
class RemoteFormatsTest {
  private static final int COLUMNS = 14;
  private static final int FILES = 2;
  private static final int GROUPS = 2;
  private static final int ROWS = 17_000; // of a group: a run of its own

  /// The first run of an epoch is cut finer than others.
  private static final long FIRST_RANGE_BYTES = 1 << 20;

  @TempDir static Path folder;
  private static final Map<String, Path> WRITTEN = new ConcurrentHashMap<>();

  /// A format, and with how few requests it is planned.
  ///
  /// @param writer writes its files
  /// @param scanned whether a file is planned by reading all of it, else from its end
  /// @param columnar whether columns that are not wanted are not read
  record Format(TableWriter writer, boolean scanned, boolean columnar) {
    @Override
    public String toString() {
      return writer.extension();
    }
  }

  /// One format that is read whole and one of columns; all of them in the outer ring.
  static Stream<Format> formats() {
    if (!Ring.OUTER.isRunning()) {
      return Stream.of(
          new Format(new CsvFiles(), true, false), new Format(new ParquetFiles(), false, true));
    }
    return Stream.of(
        new Format(new CsvFiles(), true, false),
        new Format(new JsonRows(true), true, false),
        new Format(new JsonRows(false), true, false),
        new Format(new AvroFiles(), true, false),
        new Format(new ArrowFiles(), false, true),
        new Format(new OrcFiles(), false, true),
        new Format(new ParquetFiles(), false, true));
  }

  private static final Table TABLE =
      Tables.wide(new Random(8), COLUMNS, new int[] {ROWS, ROWS}, new int[] {ROWS, ROWS});

  private static Path written(Format format) throws IOException {
    Path known = WRITTEN.get(format.toString());
    if (known == null) {
      Path own = Files.createDirectory(folder.resolve(format.toString()));
      known = format.writer().write(own, TABLE, new Random(3));
      WRITTEN.put(format.toString(), known);
    }
    return known;
  }

  private static List<Integer> epoch(StructuredDataset dataset, int workers) {
    return epoch(dataset, o -> o.workers(workers));
  }

  private static List<Integer> epoch(
      StructuredDataset dataset, UnaryOperator<LoaderOptions> options) {
    try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o.batchSize(1000)))) {
      return Delivery.bitsOfEpoch(loader);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void filesArePlannedAndReadWithFewRequests(Format format) throws IOException {
    Path files = written(format);
    Site site = MemoryStorage.site().put(files);
    StructuredDataset dataset = format.writer().open(site.location(), TABLE);
    StructuredDataset local = format.writer().open(files.toString(), TABLE);

    assertThat(dataset.files()).hasSize(FILES);
    long size = site.bytes();
    if (format.scanned()) {
      // In pieces of 4 MiB, a few more than once where the sample took more than one of them.
      assertThat(site.requests()).hasSizeLessThanOrEqualTo((int) (size >> 22) + 4 * FILES);
      assertThat(bytes(site.requests())).isLessThan(size + FILES * (9L << 20));
    } else {
      assertThat(site.requests()).hasSizeLessThanOrEqualTo(FILES * (1 + GROUPS));
      assertThat(bytes(site.requests())).isLessThan(FILES * (70L << 10));
    }

    int runs = dataset.files().stream().mapToInt(file -> file.rowGroups().size()).sum();
    int most = (int) Math.ceilDiv(size / FILES, FIRST_RANGE_BYTES) + runs;
    StructuredDataset few = dataset.columns("f5", "f9");
    List<Integer> expected = epoch(local, 0);
    List<Integer> expectedFew = epoch(local.columns("f5", "f9"), 0);
    for (int workers : new int[] {0, 3}) {
      site.requests().clear();
      assertThat(epoch(dataset, workers)).isEqualTo(expected);
      assertThat(site.requests()).hasSizeLessThanOrEqualTo(most);
      assertThat(bytes(site.requests())).isLessThan(size + runs * (600L << 10));

      site.requests().clear();
      assertThat(epoch(few, workers)).isEqualTo(expectedFew);
      // A stripe's footer says where its columns are.
      assertThat(site.requests()).hasSizeLessThanOrEqualTo(Math.max(most, 3 * runs));
      long part = format.columnar() ? size / 5 : size + runs * (600L << 10);
      assertThat(bytes(site.requests())).isLessThan(part);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void runsOfManyRangesAreReadOnce(Format format) throws IOException {
    Path files = written(format);
    Site site = MemoryStorage.site().put(files);
    long range = 256 << 10;
    site.advice(8, 1 << 20, range, Optional.empty());
    StructuredDataset dataset = format.writer().open(site.location(), TABLE);
    StructuredDataset local = format.writer().open(files.toString(), TABLE);
    int runs = dataset.files().stream().mapToInt(file -> file.rowGroups().size()).sum();
    List<Integer> expected = epoch(local, 0);
    for (int workers : new int[] {0, 3}) {
      site.requests().clear();
      assertThat(epoch(dataset, workers)).isEqualTo(expected);
      long bytes = bytes(site.requests());
      // Of a compressed text what is before a run is read for it, too.
      assertThat(bytes).isLessThan(format.columnar() ? site.bytes() : site.bytes() / 4 * 5);
      assertThat(site.requests()).hasSizeLessThanOrEqualTo((int) (bytes / range) + 2 * runs);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void windowsThatCutRunsReadThemOnce(Format format) throws IOException {
    Path files = written(format);
    Site site = MemoryStorage.site().put(files);
    site.advice(8, 1 << 20, 256 << 10, Optional.empty());
    StructuredDataset dataset = format.writer().open(site.location(), TABLE);
    StructuredDataset local = format.writer().open(files.toString(), TABLE);
    int runs = dataset.files().stream().mapToInt(file -> file.rowGroups().size()).sum();
    Map<Shuffle, List<Integer>> expected = new HashMap<>();
    for (int workers : new int[] {1, 3}) {
      List<Long> bytes = new ArrayList<>();
      List<Integer> requests = new ArrayList<>();
      for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(5_000))) {
        UnaryOperator<LoaderOptions> options = o -> o.workers(workers).shuffle(shuffle).seed(7);
        expected.computeIfAbsent(shuffle, _ -> epoch(local, options));
        site.requests().clear();
        assertThat(epoch(dataset, options)).isEqualTo(expected.get(shuffle));
        bytes.add(bytes(site.requests()));
        requests.add(site.requests().size());
      }
      // Splits are in another order: what is before a run of a compressed text is read, or not. Of
      // several workers each may read what is before its window.
      int tenths = workers == 1 ? 13 : 20;
      assertThat(bytes.get(1)).isLessThan(bytes.get(0) * tenths / 10);
      assertThat(requests.get(1)).isLessThanOrEqualTo(requests.get(0) * tenths / 10 + runs);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void filteredRowsAreReadOnceForTheFilterAndTheOthers(Format format) throws IOException {
    Path files = written(format);
    Site site = MemoryStorage.site().put(files);
    Filter filter = Filter.parse("f3 < 0.5 and id > 3000");
    StructuredDataset dataset =
        format.writer().open(site.location(), TABLE).filter(filter).columns("f5", "f9");
    StructuredDataset local =
        format.writer().open(files.toString(), TABLE).filter(filter).columns("f5", "f9");
    int runs = dataset.files().stream().mapToInt(file -> file.rowGroups().size()).sum();
    site.requests().clear();
    assertThat(epoch(dataset, 2)).isEqualTo(epoch(local, 2));
    long size = site.bytes();
    long part = format.columnar() ? size * 2 / 5 : size + runs * (600L << 10);
    assertThat(bytes(site.requests())).isLessThan(part);
    int most = (int) Math.ceilDiv(size / FILES, FIRST_RANGE_BYTES) + runs;
    // A footer, all indexes, and each of four columns of a stripe.
    assertThat(site.requests()).hasSizeLessThanOrEqualTo(format.columnar() ? 6 * runs : most);
  }

  /// A thousand columns of 50 values each: some pages of memory for each of them are enough.
  @ParameterizedTest
  @MethodSource("formats")
  void manyColumnsNeedLittleMemory(Format format) throws IOException {
    List<Field> fields = new ArrayList<>();
    List<Object> row = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      fields.add(new Field("f" + i, new DataType.Floating(64), false));
      row.add(i + 0.5);
    }
    List<List<Object>> rows = Collections.nCopies(50, row);
    Table table = new Table(Schema.of(fields), List.of(new Table.DataFile("wide", List.of(rows))));
    Path own = Files.createDirectory(folder.resolve("wide-" + format));
    Path files = format.writer().write(own, table, new Random(3));
    Site site = MemoryStorage.site().put(files);
    StructuredDataset dataset = format.writer().open(site.location(), table);
    StructuredDataset local = format.writer().open(files.toString(), table);
    for (int workers : new int[] {0, 2}) {
      assertThat(epoch(dataset, o -> o.workers(workers).memory("48MiB")))
          .isEqualTo(epoch(local, workers));
    }
  }
}
