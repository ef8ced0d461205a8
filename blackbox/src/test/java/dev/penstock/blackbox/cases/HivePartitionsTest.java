package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PartitionValue;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Folders named `key=value` as columns.
class HivePartitionsTest extends OwnFolder {
  private long id;

  /// Writes a file of two rows below some folders.
  private Path file(String folders) throws IOException {
    id += 2;
    return folder.write(folders + "/a.parquet", Folder.ID, Folder.ids(id - 2, id));
  }

  private StructuredDataset dataset() {
    return folder.dataset().hivePartitions();
  }

  private static List<List<Object>> rows(StructuredDataset dataset) {
    List<List<Object>> first = null;
    for (int workers : new int[] {0, 1, 2}) {
      for (OutputFormat output : OutputFormat.values()) {
        LoaderOptions options =
            Folder.options().workers(workers).batchSize(3).nulls(NullPolicy.mask()).output(output);
        try (DataLoader loader = DataLoader.of(dataset, options)) {
          List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
          assertThat(first == null ? rows : first).isEqualTo(rows);
          first = rows;
        }
      }
    }
    return first;
  }

  @Test
  void valuesAreTypedByAllOfThemAndComeBehindTheColumns() throws IOException {
    file("year=2001/day=2001-01-31/name=10");
    file("year=02/day=2001-02-01/name=x");
    StructuredDataset dataset = dataset();
    assertThat(dataset.schema())
        .isEqualTo(
            Schema.of(
                List.of(
                    new Field("id", DataType.int64(), false),
                    new Field("year", DataType.int64(), false),
                    new Field("day", DataType.date(), false),
                    new Field("name", DataType.string(), false))));
    assertThat(dataset.partitionColumns()).containsExactly("year", "day", "name");
    // The folder year=02 comes first.
    assertThat(rows(dataset))
        .containsExactly(
            List.of(2L, 2L, LocalDate.of(2001, 2, 1), "x"),
            List.of(3L, 2L, LocalDate.of(2001, 2, 1), "x"),
            List.of(0L, 2001L, LocalDate.of(2001, 1, 31), "10"),
            List.of(1L, 2001L, LocalDate.of(2001, 1, 31), "10"));
  }

  @Test
  void foldersAreJustFoldersUnlessAskedFor() throws IOException {
    file("year=2001");
    assertThat(folder.dataset().schema()).isEqualTo(Folder.ID);
    assertThat(folder.dataset().partitionColumns()).isEmpty();
    assertThat(folder.dataset().files().getFirst().partition()).isEmpty();
  }

  @Test
  void namesAreDecodedAndTheDefaultPartitionIsNull() throws IOException {
    file("a%20b=__HIVE_DEFAULT_PARTITION__/c=1");
    file("a%20b=x%2Fy+%C3%9F%zz/c=__HIVE_DEFAULT_PARTITION__");
    assertThat(dataset().schema().names()).containsExactly("id", "a b", "c");
    assertThat(dataset().schema().find("c")).contains(new Field("c", DataType.int64(), true));
    assertThat(rows(dataset().columns("a b", "c")))
        .containsExactly(
            Arrays.asList(null, 1L),
            Arrays.asList(null, 1L),
            Arrays.asList("x/y+ß%zz", null),
            Arrays.asList("x/y+ß%zz", null));
  }

  @Test
  void anIntegerTooLargeMakesAString() throws IOException {
    file("n=9223372036854775807");
    file("n=9223372036854775808");
    assertThat(dataset().schema().find("n").orElseThrow().type()).isEqualTo(DataType.string());
  }

  @Test
  void aDayThatIsNoneMakesAString() throws IOException {
    file("d=2001-02-28");
    file("d=2001-02-29");
    assertThat(dataset().schema().find("d").orElseThrow().type()).isEqualTo(DataType.string());
  }

  @Test
  void onlyNullsAreStrings() throws IOException {
    file("n=__HIVE_DEFAULT_PARTITION__");
    assertThat(dataset().schema().find("n")).contains(new Field("n", DataType.string(), true));
    assertThat(rows(dataset().columns("n")))
        .containsExactly(Arrays.asList((Object) null), Arrays.asList((Object) null));
  }

  @Test
  void onlyFoldersBelowALocationThatIsAFolderCount() throws IOException {
    file("outer=1/inner=2/x");
    assertThat(names(path + "/outer=1")).containsExactly("id", "inner");
    assertThat(names(path + "/outer=1/inner=2/../inner=2")).containsExactly("id");
  }

  @Test
  void allFoldersOfAFileThatIsNamedOrMatchesAGlobCount() throws IOException {
    String first = file("region=a%20b/year=2023/x").toString();
    String second = file("region=us/year=__HIVE_DEFAULT_PARTITION__").toString();
    assertThat(rows(new StructuredDataset(first).hivePartitions().columns("id", "region", "year")))
        .containsExactly(List.of(0L, "a b", 2023L), List.of(1L, "a b", 2023L));
    List<List<Object>> all =
        List.of(
            List.of(0L, "a b", 2023L),
            List.of(1L, "a b", 2023L),
            Arrays.asList(2L, "us", null),
            Arrays.asList(3L, "us", null));
    List<StructuredDataset> spellings =
        List.of(
            new StructuredDataset(second, first),
            new StructuredDataset(path + "/*/*/**/*.parquet"),
            new StructuredDataset(path + "/region=us/*/a.parquet", first),
            new StructuredDataset("file://" + first, second),
            new StructuredDataset(path + "/region=a%20b/../region=us/year=*/a.parquet", first),
            new StructuredDataset(
                path + "/region=us/./x=1/../../region=a%20b/year=2023/x/*", second));
    Files.createDirectories(path.resolve("region=us/x=1"));
    for (StructuredDataset each : spellings) {
      assertThat(rows(each.hivePartitions()))
          .as(each.toString())
          .containsExactlyInAnyOrderElementsOf(all);
    }
    assertThat(new StructuredDataset(first, second).schema()).isEqualTo(Folder.ID);
  }

  @Test
  void relativeNamesHaveTheFoldersThatAreWritten() throws IOException {
    file("region=us/year=2023");
    Path here = Path.of("").toAbsolutePath().relativize(path.toAbsolutePath());
    assertThat(names(here + "/region=us/year=2023/a.parquet"))
        .containsExactly("id", "region", "year");
    assertThat(names(here + "/region=us/year=2023/../year=2023/*.parquet"))
        .containsExactly("id", "region", "year");
    assertThat(names(here + "/region=us")).containsExactly("id", "year");
  }

  @Test
  void urlsHaveTheFoldersOfTheirPath() throws IOException {
    file("region=us/year=2023");
    try (RangeServer server = new RangeServer(path)) {
      StructuredDataset dataset =
          new StructuredDataset(server.url() + "/region=us/year=2023/a.parquet").hivePartitions();
      assertThat(rows(dataset.where("year = 2023")).getFirst()).isEqualTo(List.of(0L, "us", 2023L));
      assertThat(dataset.where("year = 2024").plan(Folder.options(), 0).files()).isEmpty();
    }
  }

  @Test
  void typesAreOfAllFilesThatAreNamed() throws IOException {
    String one = file("day=2001-01-31/n=1").toString();
    String other = file("day=x/n=2").toString();
    assertThat(new StructuredDataset(one).hivePartitions().schema().find("day"))
        .contains(new Field("day", DataType.date(), false));
    StructuredDataset both = new StructuredDataset(one, other).hivePartitions();
    assertThat(both.schema().find("day")).contains(new Field("day", DataType.string(), false));
    assertThat(both.schema().find("n")).contains(new Field("n", DataType.int64(), false));
  }

  @Test
  void namedFilesThatTheirFoldersRuleOutAreNotOpened() throws IOException {
    String left = file("year=2001").toString();
    Path broken = file("year=2002");
    Files.writeString(broken, "no footer");
    for (String location : List.of(broken.toString(), path + "/year=2002/*.parquet")) {
      StructuredDataset dataset = new StructuredDataset(left, location).hivePartitions();
      assertThat(rows(dataset.where("year < 2002").columns("id")))
          .containsExactly(List.of(0L), List.of(1L));
    }
  }

  @Test
  void aStopWithinNamedFilesGoesOnInThem() throws IOException {
    StructuredDataset dataset =
        new StructuredDataset(file("k=1").toString(), file("k=2").toString())
            .hivePartitions()
            .where("k > 0 and id > 0")
            .columns("k", "id");
    LoaderOptions options = Folder.options().batchSize(1);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.iterator().next().close();
      state = LoaderState.parse(loader.state().toJson());
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(state);
      assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(List.of(2L, 2L), List.of(2L, 3L));
    }
  }

  private static List<String> names(String location) {
    return new StructuredDataset(location).hivePartitions().schema().names();
  }

  @Test
  void filesOfSeveralRootsAreOneTable() throws IOException {
    file("a/k=1");
    file("b/k=2");
    StructuredDataset dataset =
        new StructuredDataset(path + "/a", path + "/b").hivePartitions().columns("k");
    assertThat(rows(dataset)).containsExactly(List.of(1L), List.of(1L), List.of(2L), List.of(2L));
  }

  @Test
  void onlyTheColumnsAskedForCome() throws IOException {
    file("k=1/m=x");
    assertThat(rows(dataset().columns("id"))).containsExactly(List.of(0L), List.of(1L));
    assertThat(rows(dataset().columns("m"))).containsExactly(List.of("x"), List.of("x"));
    assertThat(rows(dataset().columns("k", "id")))
        .containsExactly(List.of(1L, 0L), List.of(1L, 1L));
  }

  @Test
  void aPartitionWinsOverAColumnOfItsName() throws IOException {
    Schema both =
        Schema.of(
            List.of(
                new Field("k", DataType.string(), true), new Field("id", DataType.int64(), true)));
    folder.write("k=5/a.parquet", both, List.of(List.of("other", 7L)));
    assertThat(dataset().schema().names()).containsExactly("id", "k");
    assertThat(rows(dataset())).containsExactly(List.of(7L, 5L));
  }

  @Test
  void declaredTypesAreTaken() throws IOException {
    file("k=07/ok=true");
    Map<String, DataType> types = Map.of("k", DataType.string(), "ok", DataType.bool());
    assertThat(rows(folder.dataset().hivePartitions(types)))
        .containsExactly(List.of(0L, "07", true), List.of(1L, "07", true));
    assertThat(rows(dataset().cast("k", DataType.int8()).columns("k")))
        .containsExactly(List.of(7), List.of(7));
  }

  @Test
  void fractionsAreRoundedOnceAndWrittenInDigits() throws IOException {
    // Just above the middle of two floats, or halves, and nearer to it than any double, or float.
    file("f=1.00000005960464477539062500001/h=1.000488281250000001");
    Map<String, DataType> types = Map.of("f", DataType.float32(), "h", DataType.float16());
    List<Object> row = List.of(0L, 1 + 0x1p-23f, 1 + 0x1p-10f);
    assertThat(rows(folder.dataset().hivePartitions(types)).getFirst()).isEqualTo(row);
    file("f=0x1p3/h=1d");
    for (String key : List.of("f", "h")) {
      assertThatThrownBy(
              () -> folder.dataset().hivePartitions(Map.of(key, DataType.float32())).schema())
          .hasMessageContaining("Cannot read partition column '" + key + "': '")
          .hasMessageContaining("' is no value of type float32");
    }
  }

  @Test
  void numbersAreWrittenAsInFiles() throws IOException {
    file("k=1e3/f=-0.0/d=\u0661");
    assertThat(rows(folder.dataset().hivePartitions(Map.of("f", DataType.float32()))).getFirst())
        .contains(-0.0f);
    for (String key : List.of("k", "d")) {
      for (DataType type : List.of(DataType.int64(), new DataType.Decimal(3, 1))) {
        assertThatThrownBy(() -> folder.dataset().hivePartitions(Map.of(key, type)).schema())
            .hasMessageContaining("Cannot read partition column '" + key + "': '")
            .hasMessageContaining("' is no value of type " + type);
      }
    }
  }

  @Test
  void aValueThatIsNotOfItsDeclaredTypeIsNamed() throws IOException {
    file("k=1");
    Path file = file("k=200");
    assertThatThrownBy(() -> folder.dataset().hivePartitions(Map.of("k", DataType.int8())).schema())
        .hasMessage(
            "Cannot read partition column 'k': '200' is no value of type int8, which was declared."
                + " Declare another type. ["
                + file
                + "]")
        .hasCauseInstanceOf(SchemaMismatchException.class);
    assertThatThrownBy(() -> folder.dataset().hivePartitions(Map.of("x", DataType.int8())).schema())
        .hasMessage(
            "Cannot read partition column 'x': there is no folder 'x=...' below a location, nor in"
                + " the path of a file or glob. Partition columns are: [k].");
    assertThatThrownBy(() ->
            folder.dataset().hivePartitions(Map.of("k", new DataType.List(DataType.int8(), true))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot read partition column 'k' as list<int8>: folders name booleans, numbers, strings"
                + " and dates.");
  }

  @Test
  void aFileOutsideOfTheFoldersIsNamedOrNull() throws IOException {
    Path outside = file("elsewhere");
    Path inside = file("k=1");
    Failure.of(dataset(), Folder.options())
        .hasMessage(
            "Cannot read partition column 'k': %s is in a folder 'k=...' but %s is not. Allow"
                    .formatted(inside, outside)
                + " missing columns with missingColumns(), leave the column out of columns, or"
                + " leave one of the files out.");
    assertThat(rows(dataset().columns("id"))).hasSize(4);
    assertThat(rows(dataset().missingColumns(MissingColumns.nulls()).columns("k")))
        .containsExactly(
            Arrays.asList((Object) null), Arrays.asList((Object) null), List.of(1L), List.of(1L));
    assertThat(
            rows(dataset().missingColumns(MissingColumns.error().withDefault("k", 9)).columns("k")))
        .containsExactly(List.of(9L), List.of(9L), List.of(1L), List.of(1L));
  }

  @Test
  void aGivenSchemaHasThemWhereAndAsItSays() throws IOException {
    file("k=1/m=2");
    Schema given =
        Schema.of(
            List.of(
                new Field("m", DataType.int8(), false), new Field("id", DataType.int64(), false)));
    assertThat(rows(dataset().schemaFrom(given)))
        .containsExactly(List.of(2, 0L, 1L), List.of(2, 1L, 1L));
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() throws IOException {
    Path file = file("k=1/k=2");
    assertThatThrownBy(() -> dataset().schema())
        .hasMessage(
            "Cannot read the partitions of %s: two of its folders are named 'k=...'. Rename one, or"
                    .formatted(file)
                + " name a folder between them instead of the file.");
  }

  @Test
  void filesCarryTheirValues() throws IOException {
    file("k=1/m=__HIVE_DEFAULT_PARTITION__");
    DataFileInfo info = dataset().files().getFirst();
    assertThat(info.partition())
        .containsExactly(new PartitionValue("k", "1"), new PartitionValue("m", null));
    assertThat(info.partition().getFirst()).hasToString("k=1");
  }

  @Test
  void filtersRuleFilesOutByTheirFolders() throws IOException {
    file("k=1/day=2001-01-31");
    file("k=2/day=2001-02-01");
    file("k=__HIVE_DEFAULT_PARTITION__/day=2001-02-02");
    StructuredDataset dataset = dataset().where("k = 2").columns("id");
    assertThat(rows(dataset)).containsExactly(List.of(2L), List.of(3L));
    assertThat(dataset.plan(Folder.options(), 0).files()).hasSize(1);
    assertThat(rows(dataset().where("k is null").columns("id")))
        .containsExactly(List.of(4L), List.of(5L));
    assertThat(rows(dataset().where("day >= date '2001-02-01' and id < 4").columns("k", "id")))
        .containsExactly(List.of(2L, 2L), List.of(2L, 3L));
    assertThat(rows(dataset().where("k = 1 and id = 1"))).hasSize(1);
    assertThat(rows(dataset().where("k = 1 or id = 3").columns("id")))
        .containsExactly(List.of(0L), List.of(1L), List.of(3L));
  }

  @Test
  void partitionsJoinAMatrix() throws IOException {
    file("k=1");
    file("k=2");
    LoaderOptions options = Folder.options().features("x", "k", "id");
    try (DataLoader loader = DataLoader.of(dataset(), options)) {
      try (var batch = loader.iterator().next()) {
        assertThat((float[]) batch.tensor("x").toArray()).containsExactly(1, 0, 1, 1, 2, 2, 2, 3);
      }
    }
  }

  @Test
  void filesThatTheFoldersRuleOutAreNotOpened() throws IOException {
    file("year=2001/name=x");
    Path broken = file("year=2002/name=x");
    Files.writeString(broken, "no footer");
    file("year=2003/name=y");
    file("year=2003/name=__HIVE_DEFAULT_PARTITION__");
    for (String where :
        List.of(
            "year != 2002",
            "id >= 0 and not (year = 2002)",
            "(year < 2002 and id > 0 or year > 2002 and name is null) or year = 2003",
            "year in (2001, 2003) and (id < 100 or year = 2002)")) {
      StructuredDataset dataset = dataset().where(where);
      assertThat(dataset.plan(Folder.options(), 0).prunedFiles())
          .as(where)
          .extracting(file -> file.partition().getFirst().text())
          .containsExactly("2002");
      assertThat(rows(dataset)).as(where).hasSizeBetween(5, 6);
    }
    StructuredDataset some = dataset().where("year > 2000 and name = 'y'");
    assertThat(some.plan(Folder.options(), 0).prunedFiles()).hasSize(3);
    try (DataLoader loader = DataLoader.of(some, Folder.options())) {
      assertThat(Delivery.ofEpoch(loader).rows())
          .containsExactly(List.of(4L, 2003L, "y"), List.of(5L, 2003L, "y"));
      assertThat(loader.stats().read().skipped().files()).isEqualTo(3);
    }
    // What the folders do not decide needs the footers.
    Failure.of(dataset().where("year = 2001 or id = 3"), Folder.options())
        .hasMessageContaining(broken.toString());
  }

  @Test
  void foldersThatRuleOutAllFilesLeaveTheColumns() throws IOException {
    file("year=2001");
    file("year=2002");
    StructuredDataset none = dataset().where("year > 2002");
    assertThat(none.schema().names()).containsExactly("id", "year");
    assertThat(rows(none)).isEmpty();
    assertThat(none.plan(Folder.options(), 0).files()).isEmpty();
  }
}
