package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which rows the steps of a table with deletes have, beside those that are delivered.
class StepsOfTablesTest {
  private static final Schema SCHEMA = CountingTable.SCHEMA;
  private static final Steps ALL = new Steps(0, 1_000);

  @TempDir private Path folder;

  /// A row that was delivered, with what the table says of it.
  private record Came(
      long step, int rank, int place, String file, long row, OptionalLong rowId, long id) {
    static Came of(StepRow row, long id) {
      assertThat(row.endRow()).isEqualTo(row.row() + 1);
      return new Came(
          row.step(), row.rank(), row.place(), row.file().name(), row.row(), row.rowId(), id);
    }

    String stored() {
      return file + " " + row;
    }

    Came withoutRowId() {
      return new Came(step, rank, place, file, row, OptionalLong.empty(), id);
    }
  }

  private static LoaderOptions options(Shuffle shuffle, int batchSize) {
    return LoaderOptions.defaults()
        .batchSize(batchSize)
        .workers(1)
        .seed(5)
        .shuffle(shuffle)
        .output(OutputFormat.MAP);
  }

  /// Receives steps of all ranks, the first of which are in `states`.
  private static List<LoaderState> receive(
      StructuredDataset dataset,
      LoaderOptions options,
      int world,
      List<LoaderState> states,
      ExcludedRows excluded,
      int steps,
      List<Came> came) {
    List<LoaderState> after = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = DataLoader.of(dataset, options.rank(new Rank(rank, world)))) {
        if (!states.isEmpty()) {
          loader.resume(LoaderState.merge(states));
        }
        if (!excluded.entries().isEmpty()) {
          loader.exclude(excluded);
        }
        EpochIterator<Batch> batches = loader.iterator();
        for (int i = 0; i < steps && batches.hasNext(); i++) {
          long step = loader.state().batches();
          try (Batch batch = batches.next()) {
            add(came, step, rank, batch);
          }
        }
        after.add(loader.state());
      }
    }
    return after;
  }

  private static void add(List<Came> came, long step, int rank, Batch batch) {
    boolean hasIds = batch.names().contains("_row_id");
    for (int place = 0; place < batch.rowCount(); place++) {
      String file = (String) Objects.requireNonNull(batch.list("_file").get(place));
      Long rowId = hasIds ? (Long) batch.list("_row_id").get(place) : null;
      came.add(
          new Came(
              step,
              rank,
              place,
              file.substring(file.lastIndexOf('/') + 1),
              (Long) Objects.requireNonNull(batch.list("_pos").get(place)),
              rowId == null ? OptionalLong.empty() : OptionalLong.of(rowId),
              (Long) Objects.requireNonNull(batch.list("id").get(place))));
    }
  }

  private static List<Came> sorted(List<Came> came) {
    return came.stream()
        .sorted(
            Comparator.comparingLong(Came::step)
                .thenComparingInt(Came::rank)
                .thenComparingInt(Came::place))
        .toList();
  }

  /// Returns rows as they were named.
  private static List<Came> named(Stream<StepRow> rows, Map<String, Long> ids) {
    return rows.map(row ->
            Came.of(
                row, Objects.requireNonNull(ids.get(row.file().name() + " " + row.row()), "live")))
        .toList();
  }

  private static Map<String, Long> ids(List<Came> came) {
    Map<String, Long> ids = new HashMap<>();
    came.forEach(each -> ids.put(each.stored(), each.id()));
    return ids;
  }

  /// Writes a table of files of up to 60 rows, with deletes of all kinds that its version has. Some
  /// files store row ids, of some rows.
  private WrittenTable write(Path place, int version, Random random) throws IOException {
    List<FileFormat> formats = List.of(FileFormat.PARQUET, FileFormat.AVRO, FileFormat.ORC);
    WrittenTable written =
        WrittenTable.create(
            place, SCHEMA, PartitionSpec.unpartitioned(), version, formats.get(random.nextInt(3)));
    Map<DataFile, long[]> gone = new HashMap<>();
    long id = 0;
    for (int file = 2 + random.nextInt(4); file > 0; file--) {
      int rows = 1 + random.nextInt(60);
      boolean hasIds = version >= 3 && random.nextBoolean();
      DataFile one = written.append(rows(id, id + rows, hasIds)).getFirst();
      long[] deleted = random.longs(random.nextInt(9), 0, rows).distinct().sorted().toArray();
      if (deleted.length > 0) {
        gone.put(one, deleted);
      }
      id += rows;
    }
    if (!gone.isEmpty() && version == 2) {
      written.deletePositions(gone);
    } else if (!gone.isEmpty()) {
      written.deleteByVectors(gone);
    }
    Schema byId = SCHEMA.select("id");
    List<Record> keys = new ArrayList<>();
    for (long key : random.longs(random.nextInt(6), 0, id).toArray()) {
      GenericRecord record = GenericRecord.create(byId);
      record.setField("id", key);
      keys.add(record);
    }
    if (!keys.isEmpty()) {
      written.deleteEqual(byId, keys, null);
    }
    written.append(rows(id, id + 80, false)); // more than the first worlds receive
    return written;
  }

  /// Makes rows, of which all but each third store a row id.
  private static List<Record> rows(long from, long to, boolean haveIds) {
    Schema schema = haveIds ? WrittenTable.withRowIds(SCHEMA) : SCHEMA;
    return LongStream.range(from, to)
        .mapToObj(id -> {
          Record row = CountingTable.row(schema, id);
          if (haveIds && id % 3 != 0) {
            row.setField("_row_id", 1_000_000 - id);
          }
          return row;
        })
        .toList();
  }

  private static StructuredDataset dataset(WrittenTable written, boolean hasIds) {
    return (hasIds
            ? new ReadTable(written.table(), "_file", "_pos", "_row_id")
            : new ReadTable(written.table(), "_file", "_pos"))
        .dataset();
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      case 2 -> Shuffle.window(1 + random.nextInt(60));
      case 3 -> new Shuffle.Window(8 + random.nextInt(40), 2 + random.nextInt(3));
      case 4 -> Shuffle.global();
      default -> Shuffle.torch();
    };
  }

  @Seeded(runs = 30)
  void rowsOfStepsAreThoseThatAreDelivered(Random random) throws IOException {
    Path place = folder.resolve("t" + random.nextLong());
    int version = 2 + random.nextInt(2);
    WrittenTable written = write(place, version, random);
    StructuredDataset dataset =
        dataset(written, version >= 3).cache(place.resolve("cache").toString(), "64MiB");
    LoaderOptions options = options(shuffle(random), 1 + random.nextInt(7));
    List<Came> whole = new ArrayList<>();
    receive(dataset, options, 1, List.of(), ExcludedRows.of(List.of()), 1_000, whole);
    Map<String, Long> ids = ids(whole);
    assertThat(ids).hasSameSizeAs(whole);
    assertThat(named(RowsOfSteps.of(dataset, options, 0).pass(true).rows(ALL), ids))
        .isEqualTo(whole);

    // Two worlds, the second of them without some rows.
    List<Came> came = new ArrayList<>();
    List<LoaderState> states =
        receive(
            dataset,
            options,
            1 + random.nextInt(2),
            List.of(),
            ExcludedRows.of(List.of()),
            random.nextInt(3),
            came);
    Set<Long> left = new TreeSet<>(ids.values());
    came.forEach(each -> assertThat(left.remove(each.id())).isTrue());
    ExcludedRows excluded = ExcludedRows.of(List.of());
    for (int i = random.nextInt(4); i > 0; i--) {
      Came one = whole.get(random.nextInt(whole.size()));
      excluded =
          excluded.and(
              random.nextBoolean()
                  ? ExcludedRows.keys("id", List.of(one.id()))
                  : ExcludedRows.row(one.file(), one.row()));
      left.remove(one.id());
    }
    int world = 1 + random.nextInt(2);
    states = receive(dataset, options, world, states, excluded, 1 + random.nextInt(3), came);
    RowsOfSteps asked = RowsOfSteps.of(dataset, options, LoaderState.merge(states));
    receive(dataset, options, world, states, ExcludedRows.of(List.of()), 1_000, came);
    requireNamed(asked, came, ids);
    assertThat(came.stream().map(Came::id).filter(left::remove).toList()).isNotEmpty();
    assertThat(left).isEmpty();
    assertThat(came.stream().map(Came::id)).doesNotHaveDuplicates();
  }

  private static void requireNamed(RowsOfSteps asked, List<Came> came, Map<String, Long> ids) {
    List<Came> expected = sorted(came);
    assertThat(named(asked.pass(true).rows(ALL), ids)).isEqualTo(expected);
    assertThat(named(asked.pass(true).rows(ALL, 0), ids))
        .isEqualTo(expected.stream().filter(each -> each.rank() == 0).toList());
    List<Came> unread = named(asked.rows(ALL), ids);
    for (int i = 0; i < unread.size(); i++) {
      Came one = expected.get(i);
      assertThat(unread.get(i)).isIn(one, one.withoutRowId());
    }
    Predicate<Came> isChosen = each -> each.id() % 3 == 1;
    assertThat(sorted(named(asked.pass(true).find(Filter.parse("cat = 'c1'")), ids)))
        .isEqualTo(expected.stream().filter(isChosen).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"PARQUET", "AVRO", "ORC"})
  void rowIdsThatFilesStoreAreToldWhereReadingIsAllowed(FileFormat format) throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, SCHEMA, PartitionSpec.unpartitioned(), 3, format);
    DataFile first = written.append(rows(0, 50, false)).getFirst();
    DataFile second = written.append(rows(50, 700, true)).getFirst();
    written.deleteByVectors(Map.of(first, new long[] {3}, second, new long[] {0, 9}));
    StructuredDataset table = new ReadTable(written.table()).dataset().columns("id");
    LoaderOptions options = options(Shuffle.window(300), 64);
    List<Came> came = new ArrayList<>();
    receive(dataset(written, true), options, 1, List.of(), ExcludedRows.of(List.of()), 1_000, came);
    Map<String, Long> ids = ids(came);
    assertThat(came)
        .allSatisfy(each -> {
          long start = each.id() < 50 ? 0 : 50;
          boolean isStored = each.id() >= 50 && each.id() % 3 != 0;
          assertThat(each.rowId()).hasValue(isStored ? 1_000_000 - each.id() : start + each.row());
        });

    RowsOfSteps asked = RowsOfSteps.of(table, options, 0);
    assertThat(named(asked.pass(true).rows(ALL), ids)).isEqualTo(came);
    assertThat(named(asked.rows(ALL), ids))
        .isEqualTo(came.stream().map(each -> each.id() < 50 ? each : each.withoutRowId()).toList());
  }

  @Test
  void rowsOfTablesWithoutRowIdsHaveNone() throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    written.append(rows(0, 5, false));
    assertThat(
            RowsOfSteps.of(new ReadTable(written.table()).dataset(), options(Shuffle.none(), 2), 0)
                .pass(true)
                .rows(ALL))
        .hasSize(5)
        .allSatisfy(row -> assertThat(row.rowId()).isEmpty());
  }

  /// A person's rows are excluded, and deleted from the table.
  @Test
  void epochIsFinishedOnTheOldSnapshotAndTheNextBegunOnTheNewOne() throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    written.append(rows(0, 30, false));
    IcebergDataset old =
        IcebergDataset.metadata(folder.resolve("table").toString())
            .metadataColumns("_file", "_pos");
    long snapshot = old.snapshotId().orElseThrow();
    LoaderOptions options = options(Shuffle.window(20), 4);
    List<Came> came = new ArrayList<>();
    ExcludedRows person = ExcludedRows.keys("cat", List.of("c1"));
    List<LoaderState> states =
        receive(old.dataset(), options, 1, List.of(), ExcludedRows.of(List.of()), 2, came);
    List<LoaderState> later = receive(old.dataset(), options, 1, states, person, 2, came);
    GenericRecord key = GenericRecord.create(SCHEMA.select("cat"));
    key.setField("cat", "c1");
    written.deleteEqual(SCHEMA.select("cat"), List.of(key), null);

    IcebergDataset now =
        IcebergDataset.metadata(folder.resolve("table").toString())
            .metadataColumns("_file", "_pos");
    assertThatThrownBy(() ->
            receive(
                now.dataset(), options, 1, later, ExcludedRows.of(List.of()), 1, new ArrayList<>()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("snapshot");
    receive(
        now.snapshot(snapshot).dataset(),
        options,
        1,
        later,
        ExcludedRows.of(List.of()),
        1_000,
        came);
    List<Long> after = came.stream().filter(each -> each.step() > 1).map(Came::id).toList();
    assertThat(after).isNotEmpty().noneMatch(id -> id % 3 == 1);
    assertThat(came.stream().map(Came::id).filter(id -> id % 3 != 1)).hasSize(20);

    try (DataLoader loader = DataLoader.of(now.dataset(), options)) {
      loader.setEpoch(1);
      List<Came> next = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          add(next, 0, 0, batch);
        }
      }
      assertThat(next).hasSize(20).noneMatch(each -> each.id() % 3 == 1);
    }
  }
}
