package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.append;
import static dev.penstock.iceberg.CountingTable.ids;
import static dev.penstock.iceberg.CountingTable.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.Rank;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables found in catalogs and folders, at the snapshots that are asked for.
class IcebergDatasetTest {
  @TempDir Path folder;
  private Catalog catalog;

  @BeforeEach
  void openCatalog() {
    catalog = TestCatalogs.inMemory(folder);
  }

  private Table counting(PartitionSpec spec) {
    return CountingTable.create(catalog, "db.t", spec, 2);
  }

  private static IcebergDataset of(Table table) {
    return IcebergDataset.metadata(TestCatalogs.metadata(table));
  }

  @Test
  void tableOfAJdbcCatalogIsReadByItsName() throws IOException {
    Map<String, String> options = TestCatalogs.h2(folder);
    Table table =
        CountingTable.create(TestCatalogs.open(options), "db.flights", CountingTable.BY_CAT, 2);
    append(table, 0, 500);
    IcebergDataset flights = IcebergDataset.table("db.flights", options);
    assertThat(ids(flights.dataset())).containsExactlyInAnyOrderElementsOf(range(0, 500));
    assertThat(flights.snapshotId()).hasValue(table.currentSnapshot().snapshotId());
    assertThat(flights.dataset().locations()).containsExactly("db.flights");
    assertThat(flights.dataset().fileSchema().toString())
        .isEqualTo("[id: int64 not null, cat: string, n: int32]");
    Map<String, String> withoutWarehouse = new HashMap<>(options);
    withoutWarehouse.remove("warehouse");
    assertThat(ids(IcebergDataset.table("db.flights", withoutWarehouse).dataset())).hasSize(500);
    assertThatThrownBy(() -> IcebergDataset.table("db.nothing", options).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Cannot read table 'db.nothing': the catalog has no such table. Check the name, and"
                + " option 'catalog-name': a JDBC catalog keeps tables by its own name.");
    Map<String, String> wrong = new HashMap<>(options);
    wrong.put("uri", "jdbc:none:hush-hush@nowhere");
    assertThatThrownBy(() -> IcebergDataset.table("db.flights", wrong).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.flights': ")
        .message()
        .doesNotContain("hush-hush");
  }

  @Test
  void catalogOptionsThatSayNothingAreRefused() {
    assertThatThrownBy(() -> IcebergDataset.table("db.t", Map.of("uri", "http://x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot open table 'db.t': the catalog options [uri] do not say what kind of catalog it"
                + " is. Set 'type' to rest, jdbc, glue or hive, or 'catalog-impl' to a class.");
    assertThatThrownBy(() -> IcebergDataset.metadata("x").storageOption("colour", "red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no store here takes it");
  }

  @Test
  void catalogWithoutAnAddressOrOfAnUnknownTypeSaysWhatToSet() {
    assertThatThrownBy(() -> IcebergDataset.table("db.t", Map.of("type", "REST")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot open table 'db.t': a rest catalog needs the option 'uri'. Set it to the"
                + " catalog's address, such as http://host:8181.");
    assertThatThrownBy(() -> IcebergDataset.table("db.t", Map.of("type", "jdbc")))
        .hasMessageContaining("needs the option 'uri'");
    assertThatThrownBy(() -> IcebergDataset.table("db.t", Map.of("type", "foo")).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Cannot read table 'db.t': the catalog's type is unknown (Unknown catalog type: foo)."
                + " Set catalog option 'type' to rest, jdbc, glue or hive, or 'catalog-impl' to a"
                + " class.");
    assertThatThrownBy(
            () -> IcebergDataset.table("db.t", Map.of("type", "rest", "uri", "nowhere")).dataset())
        .hasMessageEndingWith("Check catalog option 'uri', and that the catalog answers there.");
  }

  @Test
  void whatIsNoMetadataFileIsNamed() throws IOException {
    Path file = folder.resolve("x.metadata.json");
    assertThatThrownBy(() -> IcebergDataset.metadata(file.toString()).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Cannot read table '%s': there is no such file. Name a metadata file (.metadata.json) of"
                + " the table, or its folder.",
            file);
    Files.writeString(file, "{}");
    assertThatThrownBy(() -> IcebergDataset.metadata(file.toString()).dataset())
        .hasMessage(
            "Cannot read table '%s': the file is no table metadata that can be read (Cannot parse"
                + " missing int: format-version). Name a metadata file (.metadata.json) of an"
                + " Iceberg table.",
            file);
    for (String text : List.of("not JSON", "", "{\"format-version\": 2")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> IcebergDataset.metadata(file.toString()).dataset())
          .hasMessageStartingWith(
              "Cannot read table '" + file + "': the file is no table metadata that can be read (")
          .hasMessageEndingWith("). Name a metadata file (.metadata.json) of an Iceberg table.");
    }
  }

  @Test
  void damagedManifestListIsNotTakenForAMetadataFile() throws IOException {
    Table table =
        CountingTable.create(
            TestCatalogs.open(TestCatalogs.h2(folder)), "db.t", CountingTable.BY_CAT, 2);
    append(table, 0, 10);
    String list = table.currentSnapshot().manifestListLocation();
    Files.writeString(Path.of(list.replaceFirst("^file:", "")), "no Avro");
    assertThatThrownBy(() -> of(table).dataset().fileSchema())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(list)
        .message()
        .doesNotContain("metadata.json)");
  }

  @Test
  void catalogWhoseModuleIsAbsentNamesTheDependency() {
    Map<String, Map<String, String>> absent =
        Map.of(
            "glue", Map.of("type", "GLUE"),
            "hive", Map.of("catalog-impl", "org.apache.iceberg.hive.HiveCatalog"));
    absent.forEach((type, options) ->
        assertThatThrownBy(() -> IcebergDataset.table("db.t", options).dataset())
            .isInstanceOf(UncheckedIOException.class)
            .hasMessage(
                "Cannot read table 'db.t': catalogs of type "
                    + type
                    + " need a module that is not on the class path. Add the dependency"
                    + " 'dev.penstock:penstock-iceberg-"
                    + type
                    + "', in the version of penstock-iceberg."));
  }

  @Nested
  class Metadata {
    @Test
    void folderIsReadAtItsNewestVersion() throws IOException {
      Table table = counting(PartitionSpec.unpartitioned());
      append(table, 0, 100);
      Path first = Path.of(TestCatalogs.metadata(table));
      append(table, 100, 150);
      Path second = Path.of(TestCatalogs.metadata(table));
      Path root = folder.resolve("hadoop");
      Path hadoop = Files.createDirectories(root.resolve("metadata"));
      Files.copy(first, hadoop.resolve("v9.metadata.json"));
      Files.copy(second, hadoop.resolve("v10.metadata.json"));
      Files.writeString(hadoop.resolve("v11.metadata.json.tmp"), "half");
      IcebergDataset found = IcebergDataset.metadata(root.toString());
      assertThat(ids(found.dataset())).isEqualTo(range(0, 150));

      // The hint is written after the file: a newer file counts, an older one does not.
      Files.writeString(hadoop.resolve("version-hint.text"), "9\n");
      found = IcebergDataset.metadata(root + "/");
      assertThat(ids(found.dataset())).isEqualTo(range(0, 150));
      assertThat(ids(IcebergDataset.metadata(hadoop + "/v9.metadata.json").dataset()))
          .isEqualTo(range(0, 100));
    }

    @Test
    void folderOfACatalogIsRefused() throws IOException {
      Table table = counting(PartitionSpec.unpartitioned());
      append(table, 0, 10);
      assertThatThrownBy(() -> IcebergDataset.metadata(table.location()).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read table '"
                  + table.location()
                  + "': which of its 2 metadata files is current stands in its catalog only. Name"
                  + " the table in its catalog, or one of the files.");
      assertThatThrownBy(() -> IcebergDataset.metadata(folder + "/none").dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("is neither a metadata file (.metadata.json) nor a folder");
      assertThatThrownBy(() -> IcebergDataset.metadata(folder + "/v1.metadata.json").dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(folder + "/v1.metadata.json");
    }

    @Test
    void movedTableIsReadWhereItIsNow() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 100);
      Path moved = folder.resolve("moved");
      Files.move(folder.resolve("warehouse"), moved);
      String metadata =
          ((BaseTable) table)
              .operations()
              .current()
              .metadataFileLocation()
              .replace("/warehouse/", "/moved/");
      IcebergDataset there =
          IcebergDataset.metadata(metadata)
              .mapLocation(folder + "/ware", "nowhere")
              .mapLocation(folder + "/warehouse/", moved + "/");
      assertThat(ids(there.dataset())).hasSize(100);
      assertThat(there.dataset().files().getFirst().location().text()).startsWith(moved + "/");
      assertThatThrownBy(() -> IcebergDataset.metadata(metadata).dataset().files())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(folder + "/warehouse");
    }

    /// Iceberg escapes the values of partitions, so `%` is common in names.
    @Test
    void namesOfAnyCharactersAreFoundBehindAUrl() throws IOException {
      Path odd = Files.createDirectory(folder.resolve("a#b?[c] 100%41+é"));
      Table table =
          CountingTable.create(TestCatalogs.inMemory(odd), "db.t", CountingTable.BY_CAT, 2);
      GenericRecord row = GenericRecord.create(table.schema());
      row.setField("id", 7L);
      row.setField("cat", "50% [x]/#1?");
      DataFile written = CountingTable.write(table, List.of(row)).getFirst();
      table.newAppend().appendFile(written).commit();
      assertThat(written.location()).contains("/cat=50%25+%5Bx%5D%2F%231%3F/");
      try (RangeServer server = new RangeServer(folder)) {
        IcebergDataset there =
            IcebergDataset.metadata(TestCatalogs.metadata(table))
                .mapLocation(folder.toString(), server.url());
        assertThat(ids(there.dataset())).containsExactly(7L);
        assertThat(there.dataset().files().getFirst().location().text())
            .startsWith(server.url() + "/a%23b%3F%5Bc%5D%20100%2541+%C3%A9/")
            .contains("/cat=50%2525+%255Bx%255D%252F%25231%253F/");
      }
    }
  }

  @Nested
  class Snapshots {
    private Table table;
    private long first;

    @BeforeEach
    void writeThree() throws IOException {
      table = counting(CountingTable.BY_CAT);
      append(table, 0, 30);
      first = table.currentSnapshot().snapshotId();
      table.manageSnapshots().createTag("begin", first).createBranch("audit", first).commit();
      append(table, 30, 60);
      table.updateSchema().renameColumn("n", "m").addColumn("late", Types.LongType.get()).commit();
      table.newDelete().deleteFromRowFilter(Expressions.equal("cat", "c0")).commit();
    }

    @Test
    void eachWayLeadsToItsSnapshot() {
      Instant then = Instant.ofEpochMilli(table.snapshot(first).timestampMillis());
      assertThat(ids(of(table).dataset())).doesNotContain(0L).hasSize(40);
      assertThat(ids(of(table).snapshot(first).dataset())).hasSize(30);
      assertThat(ids(of(table).asOf(then).dataset())).hasSize(30);
      assertThat(ids(of(table).ref("begin").dataset())).hasSize(30);
      assertThat(ids(of(table).ref("audit").dataset())).hasSize(30);
      assertThat(ids(of(table).ref("main").dataset())).hasSize(40);
    }

    @Test
    void columnsAreThoseOfTheSnapshotExceptOnABranch() {
      assertThat(of(table).dataset().fileSchema().names())
          .containsExactly("id", "cat", "m", "late");
      assertThat(of(table).snapshot(first).dataset().fileSchema().names())
          .containsExactly("id", "cat", "n");
      assertThat(of(table).ref("begin").dataset().fileSchema().names())
          .containsExactly("id", "cat", "n");
      assertThat(of(table).ref("audit").dataset().fileSchema().names())
          .containsExactly("id", "cat", "m", "late");
      assertThat(of(table).snapshot(first).schema(1).dataset().fileSchema().names())
          .containsExactly("id", "cat", "m", "late");
    }

    @Test
    void filterNamesColumnsAsTheSnapshotDoes() {
      assertThat(ids(of(table).snapshot(first).dataset().where("n < 50 and cat = 'c1'")))
          .containsExactly(1L, 4L);
      assertThat(ids(of(table).ref("audit").dataset().where("m < 50 and cat = 'c1'")))
          .containsExactly(1L, 4L);
      long last = table.currentSnapshot().snapshotId();
      table.updateSchema().renameColumn("m", "k").commit(); // makes no snapshot
      assertThat(ids(of(table).dataset().where("k < 50 and cat = 'c1'"))).containsExactly(1L, 4L);
      assertThat(ids(of(table).snapshot(last).dataset().where("m < 50 and cat = 'c1'")))
          .containsExactly(1L, 4L);
      assertThat(of(table).ref("begin").dataset().where("cat = 'c1' and n >= 0").files())
          .hasSize(1);
    }

    @Test
    void whatIsNotThereIsNamedWithWhatIs() {
      assertThatThrownBy(() -> of(table).snapshot(17).dataset())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no snapshot 17. Snapshots are: [" + first + " of ");
      assertThatThrownBy(() -> of(table).asOf(Instant.EPOCH).dataset())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no snapshot as of 1970-01-01T00:00:00Z");
      assertThatThrownBy(() -> of(table).ref("none").dataset())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("no branch or tag 'none'. There are: [audit, begin, main].");
      assertThatThrownBy(() -> of(table).schema(9).dataset())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("no schema 9. Schemas are: [0, 1].");
    }
  }

  @Nested
  class OneSnapshot {
    private final Map<String, String> options = new HashMap<>();
    private Table table;

    @BeforeEach
    void write() throws IOException {
      options.putAll(TestCatalogs.h2(folder));
      table = CountingTable.create(TestCatalogs.open(options), "db.t", CountingTable.BY_CAT, 2);
      append(table, 0, 90);
    }

    @Test
    void whatIsAppendedLaterIsNotSeen() throws IOException {
      IcebergDataset dataset = IcebergDataset.table("db.t", options);
      StructuredDataset before = dataset.dataset();
      append(table, 90, 120);
      assertThat(ids(before)).hasSize(90);
      assertThat(ids(dataset.dataset().where("id >= 0"))).hasSize(90);
      assertThat(ids(IcebergDataset.table("db.t", options).dataset())).hasSize(120);
    }

    @Test
    void stateFitsItsSnapshotOnly() throws IOException {
      IcebergDataset dataset = IcebergDataset.table("db.t", options);
      long then = dataset.snapshotId().orElseThrow();
      List<Long> all = ids(dataset.dataset());
      List<Long> received = new ArrayList<>();
      LoaderState state;
      try (DataLoader loader = CountingTable.loader(dataset.dataset(), 20);
          EpochIterator<Batch> batches = loader.iterator()) {
        received.addAll(CountingTable.ids(batches, 2));
        state = LoaderState.parse(loader.state().toJson());
      }
      append(table, 90, 120);
      long now = table.currentSnapshot().snapshotId();
      IcebergDataset later = IcebergDataset.table("db.t", options);
      try (DataLoader loader = CountingTable.loader(later.dataset(), 20)) {
        assertThatThrownBy(
                () -> {
                  loader.resume(state);
                  loader.iterator().close();
                })
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("at snapshot(" + now + ") with schema(0)")
            .hasMessageContaining("at snapshot(" + then + ") with schema(0)");
      }
      try (DataLoader loader = CountingTable.loader(later.snapshot(then).dataset(), 20)) {
        loader.resume(state);
        try (EpochIterator<Batch> batches = loader.iterator()) {
          received.addAll(CountingTable.ids(batches, Integer.MAX_VALUE));
        }
      }
      assertThat(received).isEqualTo(all);
    }
  }

  @Nested
  class WithoutRows {
    @Test
    void tableWithoutSnapshotHasColumnsAndNoBatches() {
      StructuredDataset dataset = of(counting(CountingTable.BY_CAT)).dataset();
      assertThat(dataset.fileSchema().names()).containsExactly("id", "cat", "n");
      assertEmpty(dataset);
      assertEmpty(dataset.where("id > 3"));
    }

    @Test
    void tableWhoseRowsWereAllDeletedHasNoBatches() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 10);
      table.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
      assertEmpty(of(table).dataset());
    }

    @Test
    void filterThatRulesAllFilesOutGivesNoBatches() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 10);
      StructuredDataset none = of(table).dataset().where("cat = 'c7'");
      assertEmpty(none);
      assertThat(none.plan(LoaderOptions.defaults(), 0).prunedFiles()).hasSize(3);
    }

    private void assertEmpty(StructuredDataset dataset) {
      assertThat(dataset.files()).isEmpty();
      assertThat(dataset.plan(LoaderOptions.defaults(), 0).rows()).isZero();
      for (int workers : new int[] {0, 1, 3}) {
        for (SplitStrategy strategy :
            List.of(TargetSizeSplitStrategy.ofRows(1), new RoundRobinSplitStrategy())) {
          try (DataLoader loader =
                  DataLoader.of(
                      dataset.splitStrategy(strategy), o -> o.workers(workers).shuffle(true));
              EpochIterator<Batch> batches = loader.iterator()) {
            assertThat(batches.hasNext()).isFalse();
            LoaderState state = LoaderState.parse(loader.state().toJson());
            loader.resume(state);
          }
        }
      }
      for (int rank = 0; rank < 2; rank++) {
        int index = rank;
        try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(new Rank(index, 2)));
            EpochIterator<Batch> batches = loader.iterator()) {
          assertThat(batches.hasNext()).isFalse();
        }
      }
    }
  }

  @Nested
  class Planning {
    @Test
    void planTellsFilesBeforeAndAfter() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 30);
      append(table, 1000, 1030);
      Plan plan =
          of(table)
              .dataset()
              .where("cat in ('c1', 'c2') and id >= 1000")
              .plan(LoaderOptions.defaults(), 0);
      assertThat(plan.files()).hasSize(2);
      assertThat(plan.prunedFiles()).hasSize(4);
      assertThat(plan.prunedFiles().stream().map(PrunedFile::partition).map(Object::toString))
          .contains("[cat=c0]", "[cat=c1]", "[cat=c2]");
      assertThat(of(table).dataset().where("n >= 10000.5").files()).hasSize(3);
    }

    @Test
    void scanFilterReplacesWhatIsPushed() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 30);
      IcebergDataset all = of(table).scanFilter(Expressions.alwaysTrue());
      assertThat(all.dataset().where("cat = 'c1'").files()).hasSize(3);
      assertThat(ids(all.dataset().where("cat = 'c1'"))).hasSize(10);
      IcebergDataset some = of(table).scanFilter(Expressions.equal("cat", "c2"));
      assertThat(ids(some.dataset())).hasSize(10).contains(2L);
    }

    @Test
    void castColumnIsNotPushed() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 30);
      append(table, 1000, 1030);
      StructuredDataset cast =
          of(table)
              .dataset()
              .castLossy("n", new DataType.Int(8, true))
              .where("n = 127 and cat = 'c1'");
      // All but the first rows of n are cut to 127.
      assertThat(cast.files()).hasSize(2);
      assertThat(ids(cast)).hasSize(16);
    }

    @Test
    void strategySeesWhatTheTableKnows() throws IOException {
      Table table = counting(CountingTable.BY_CAT);
      append(table, 0, 30);
      append(table, 30, 60);
      List<IcebergDataFileInfo> seen = new ArrayList<>();
      StructuredDataset dataset =
          of(table)
              .dataset()
              .splitStrategy((files, count, epoch) -> {
                files.forEach(file -> seen.add((IcebergDataFileInfo) file.details().orElseThrow()));
                return new RoundRobinSplitStrategy().generate(files, count, epoch);
              });
      assertThat(ids(dataset)).hasSize(60);
      assertThat(seen).hasSizeGreaterThanOrEqualTo(6);
      assertThat(seen.stream().map(IcebergDataFileInfo::snapshotId).distinct())
          .containsExactly(table.currentSnapshot().snapshotId());
      assertThat(seen.stream().map(IcebergDataFileInfo::sequenceNumber).distinct())
          .containsExactlyInAnyOrder(1L, 2L);
      assertThat(seen.stream().map(each -> each.partition().toString()).distinct())
          .containsExactlyInAnyOrder("[cat=c0]", "[cat=c1]", "[cat=c2]");
      List<DataFileInfo> files = dataset.files();
      assertThat(files)
          .isSortedAccordingTo(
              (left, right) -> left.location().text().compareTo(right.location().text()))
          .isEqualTo(of(table).dataset().files());
    }
  }

  @Nested
  class Damage {
    private Table table;
    private DataFile file;

    @BeforeEach
    void write() throws IOException {
      table = counting(PartitionSpec.unpartitioned());
      file = CountingTable.write(table, 0, 500).getFirst();
    }

    private StructuredDataset committed(DataFile listed) {
      table.newAppend().appendFile(listed).commit();
      return of(table).dataset();
    }

    @Test
    void rowGroupsComeFromTheFileWhateverTheManifestSays() {
      DataFile wrong =
          DataFiles.builder(table.spec())
              .copy(file)
              .withFileSizeInBytes(1000)
              .withSplitOffsets(List.of(4L))
              .build();
      StructuredDataset dataset = committed(wrong);
      assertThat(dataset.files().getFirst().rowGroups()).hasSizeGreaterThan(3);
      assertThat(ids(dataset)).isEqualTo(range(0, 500));
    }

    @Test
    void missingAndCutFilesAreErrors() throws IOException {
      StructuredDataset dataset = committed(file);
      Path path = Path.of(file.location());
      byte[] bytes = Files.readAllBytes(path);
      Files.delete(path);
      assertThatThrownBy(dataset::files)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(path + "': it is gone");
      Files.write(path, Arrays.copyOf(bytes, bytes.length - 100));
      assertThatThrownBy(() -> ids(of(table).dataset()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(path.toString());
      Files.write(path, bytes);
      Files.write(path, new byte[10], StandardOpenOption.APPEND);
      assertThatThrownBy(() -> ids(of(table).dataset()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(path.toString());
      // The footer of a file whose middle is lost names places beyond its end.
      byte[] end = Arrays.copyOfRange(bytes, bytes.length / 2, bytes.length);
      Files.write(path, end);
      assertThatThrownBy(() -> ids(of(table).dataset())).hasStackTraceContaining(path.toString());
    }

    @Test
    void fileThatIsListedTwiceIsAnError() {
      table.newAppend().appendFile(file).commit();
      StructuredDataset dataset = committed(file);
      assertThatThrownBy(dataset::files)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("lists file '" + file.location() + "' twice");
    }

    @Test
    void encryptedFileIsAnError() {
      DataFile encrypted =
          DataFiles.builder(table.spec())
              .copy(file)
              .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1}))
              .build();
      assertThatThrownBy(committed(encrypted)::files)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(file.location())
          .hasMessageContaining("encrypted");
    }

    @Test
    void unknownFormatVersionsAndBrokenMetadataAreErrors() throws IOException {
      table.newAppend().appendFile(file).commit();
      String json = TableMetadataParser.toJson(((BaseTable) table).operations().current());
      Path path = folder.resolve("v1.metadata.json");
      Files.writeString(path, json.replace("\"format-version\":2", "\"format-version\":9"));
      assertThatThrownBy(() -> IcebergDataset.metadata(path.toString()).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("version 9");
      Files.writeString(path, json.substring(0, json.length() / 2));
      assertThatThrownBy(() -> IcebergDataset.metadata(path.toString()).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(path.toString());
    }
  }
}
