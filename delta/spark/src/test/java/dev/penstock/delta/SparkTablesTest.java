package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that Spark writes: each version has the rows that Spark reads.
@Tag("outer")
class SparkTablesTest {
  @RegisterExtension static final SparkTables SPARK = new SparkTables();

  /// Where the vector of a file is, in a commit.
  private static final Pattern VECTOR =
      Pattern.compile(
          "\"storageType\":\"u\",\"pathOrInlineDv\":\"[^\"]*\",\"offset\":(\\d+),"
              + "\"sizeInBytes\":(\\d+)");

  @TempDir private Path folder;

  private static long deletedRows(StructuredDataset dataset) {
    return dataset.files().stream()
        .mapToLong(file -> ((DeltaFileDetails) file.details().orElseThrow()).deletedRows())
        .sum();
  }

  private static List<Path> files(Path folder, String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
    }
  }

  // --- Rows

  @Test
  void rowsThatWereDeletedUpdatedAndMerged() {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t USING delta TBLPROPERTIES ('delta.enableDeletionVectors'='true')"
            + " AS SELECT id, id % 10 AS n, concat('s', id % 17) AS s FROM range(0, 100, 1, 2)");
    table.sql("DELETE FROM $t WHERE id % 3 = 0");
    table.sql("UPDATE $t SET n = n + 100, s = null WHERE n = 4");
    table.sql(
        "MERGE INTO $t AS old USING (SELECT id + 90 AS id FROM range(20)) AS new"
            + " ON old.id = new.id"
            + " WHEN MATCHED AND new.id % 2 = 0 THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET n = -1"
            + " WHEN NOT MATCHED THEN INSERT (id, n, s) VALUES (new.id, 7, 'merged')");
    assertThat(deletedRows(table.version(3).dataset())).isGreaterThan(40);
    table.sql("OPTIMIZE $t");
    assertThat(deletedRows(table.version(4).dataset())).isZero();
    table.sql("RESTORE TABLE $t TO VERSION AS OF 2");
    table.assertSameRows();
  }

  // --- Columns

  @ParameterizedTest
  @ValueSource(strings = {"name", "id"})
  void columnsThatWereRenamedDroppedAndAdded(String mode) {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t (id BIGINT, a INT, `b c` STRING, s STRUCT<x: INT, y: STRUCT<z: STRING>>,"
            + " l ARRAY<STRUCT<e: INT>>, m MAP<STRING, STRUCT<v: INT>>, p INT)"
            + " USING delta PARTITIONED BY (p)"
            + " TBLPROPERTIES ('delta.columnMapping.mode'='%s')".formatted(mode),
        insert(0));
    table.sql(
        "ALTER TABLE $t RENAME COLUMN a TO `b.a`",
        "ALTER TABLE $t RENAME COLUMN s.y.z TO `new z`",
        "ALTER TABLE $t RENAME COLUMN l.element.e TO f",
        "ALTER TABLE $t RENAME COLUMN p TO q",
        insert(1));
    table.sql("ALTER TABLE $t DROP COLUMNS (`b c`, s.x)");
    table.sql(
        "ALTER TABLE $t ADD COLUMNS (s.x STRING FIRST, a STRING AFTER id, `b c` INT,"
            + " m.value.w STRING)",
        "INSERT INTO $t SELECT id, 'a', 2, named_struct('x', 'x', 'y', named_struct('z', 'z')),"
            + " array(named_struct('e', 3)), map('k', named_struct('v', 1, 'w', 'w')), 2, 7"
            + " FROM range(5)");
    table.assertSameRows();
  }

  private static String insert(int part) {
    return "INSERT INTO $t SELECT id, id * 2, concat('b', id),"
        + " if(id = 3, null, named_struct('x', id, 'y', named_struct('z', 'z' || id))),"
        + " array(named_struct('e', id), null), map('k', named_struct('v', id)), "
        + part
        + " FROM range(7)";
  }

  @Test
  void variants() {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t (id BIGINT, v VARIANT, s STRUCT<w: VARIANT, l: ARRAY<VARIANT>>) USING delta"
            + " TBLPROPERTIES ('delta.enableDeletionVectors'='true')",
        "INSERT INTO $t SELECT id, parse_json('{\"id\": ' || id || ', \"user\": {\"name\": \"n' || id"
            + " || '\", \"x\": 2.5}, \"l\": [1, null, true, \"s\"]}'),"
            + " named_struct('w', parse_json(string(id)), 'l', array(parse_json('{}'), null)) FROM range(9)",
        "INSERT INTO $t SELECT id, null, null FROM range(3)");
    table.sql("DELETE FROM $t WHERE id % 4 = 1");
    table.assertSameRows();
    StructuredDataset dataset =
        table
            .version(3)
            .dataset()
            .cast("v.user.name", DataType.string())
            .cast("v.id", DataType.int32());
    assertThat(EveryWay.read(dataset.where("v.id >= 6").columns("v.user.name", "id")))
        .containsExactlyInAnyOrder(
            "{\"v.user.name\":\"n6\",\"id\":6}",
            "{\"v.user.name\":\"n7\",\"id\":7}",
            "{\"v.user.name\":\"n8\",\"id\":8}");
  }

  @Test
  void columnsWhoseTypesWereWidened() {
    SparkTable table = SPARK.at(folder.resolve("t"));
    String values =
        "INSERT INTO $t SELECT id - 2, id * 300 - 600, -id, id / 3, date'1969-12-30' + id,"
            + " id * 1.25, id, id, named_struct('x', id), array(id, null), 2 FROM"
            + " (SELECT int(id) AS id FROM range(6))";
    table.sql(
        "CREATE TABLE $t (i8 TINYINT, i16 SMALLINT, i32 INT, f FLOAT, d DATE, n DECIMAL(5, 2),"
            + " m TINYINT, k INT, s STRUCT<x: SMALLINT>, l ARRAY<TINYINT>, p SMALLINT)"
            + " USING delta PARTITIONED BY (p) TBLPROPERTIES ("
            + "'delta.enableTypeWidening'='true', 'delta.feature.timestampNtz'='supported')",
        values);
    String change = "ALTER TABLE $t CHANGE COLUMN %s TYPE %s";
    table.sql(change.formatted("i8", "SMALLINT"), values);
    List<String> changes = new ArrayList<>();
    for (String[] types :
        new String[][] {
          {"i8", "BIGINT"},
          {"i16", "INT"},
          {"i32", "DOUBLE"},
          {"f", "DOUBLE"},
          {"d", "TIMESTAMP_NTZ"},
          {"n", "DECIMAL(12, 4)"},
          {"m", "DECIMAL(14, 3)"},
          {"k", "BIGINT"},
          {"s.x", "BIGINT"},
          {"l.element", "INT"},
          {"p", "BIGINT"}
        }) {
      changes.add(change.formatted(types[0], types[1]));
    }
    table.sql(changes.toArray(String[]::new));
    table.sql(values.replace("id - 2", "5000000000").replace("2 FROM", "5000000001 FROM"));
    table.assertSameRows();
  }

  // --- Partitions

  @Test
  void partitionsOfEveryType() {
    SparkTable table = SPARK.at(folder.resolve("t"));
    List<String> strings =
        List.of("''", "' a b '", "'%41/x=1'", "'ü,\"{}#?:*'", "'it\\'s \\\\'", "'line\\nbreak'");
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < strings.size(); i++) {
      values.append(
          """
          (%1$d, %2$s, %1$d - 3, %1$d - 3, -%1$d, %1$d - 9000000000, %1$d / 2.0, 1e300 * %1$d,
           %1$d * 1.50, %1$d %% 2 = 0, date'1969-12-30' + %1$d,
           timestamp'1969-12-31 23:59:59.999999' + make_interval(0, 0, 0, 0, 0, %1$d, 0),
           timestamp_ntz'1600-01-01 00:00:00.5' + make_interval(%1$d), binary(%2$s)),
          """
              .formatted(i, strings.get(i)));
    }
    table.sql(
        "CREATE TABLE $t (id INT, s STRING, i8 TINYINT, i16 SMALLINT, i32 INT, i64 BIGINT, f FLOAT,"
            + " g DOUBLE, n DECIMAL(9, 3), b BOOLEAN, d DATE, t TIMESTAMP, l TIMESTAMP_NTZ,"
            + " x BINARY) USING delta"
            + " PARTITIONED BY (s, i8, i16, i32, i64, f, g, n, b, d, t, l, x)",
        "INSERT INTO $t VALUES "
            + values
            + "(99, null, null, null, null, null, null, null, null, null, null, null, null, null),"
            + "(100, 'nan', 1, 1, 1, 1, float('nan'), double('-infinity'), 1, true,"
            + " date'9999-12-31', timestamp'2024-02-29 12:00:00', timestamp_ntz'2024-02-29 12:00',"
            + " x'')");
    table.assertSameRows();
  }

  // --- The log

  @ParameterizedTest
  @ValueSource(strings = {"classic", "v2"})
  void versionsWhoseCommitsAreOnlyInACheckpoint(String policy) throws IOException {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t USING delta PARTITIONED BY (p) TBLPROPERTIES ("
            + "'delta.checkpointInterval'='2', 'delta.checkpointPolicy'='%s',".formatted(policy)
            + " 'delta.enableDeletionVectors'='true')"
            + " AS SELECT id, if(id = 1, null, id % 2) AS p FROM range(20)",
        "DELETE FROM $t WHERE id IN (3, 4)");
    table.sql("INSERT INTO $t SELECT id, 7 FROM range(10)");
    table.sql("DELETE FROM $t WHERE p = 0 OR id = 5");
    Path log = folder.resolve("t/_delta_log");
    String name = policy.equals("v2") ? "[0-9a-f-]{36}[.]json" : "parquet";
    assertThat(files(log, "0+2[.]checkpoint[.]" + name)).hasSize(1);
    assertThat(files(log, "0+2[.]checkpoint[.]0+1[.].*[.]parquet"))
        .hasSize(policy.equals("v2") ? 1 : 0);
    Map<Long, List<String>> expected = table.assertSameRows();
    for (Path commit : files(log, "0+[01][.](json|crc)")) {
      Files.delete(commit);
    }
    for (long version : List.of(2L, 3L)) {
      assertThat(EveryWay.sorted(EveryWay.read(table.version(version).dataset())))
          .isEqualTo(expected.get(version));
    }
  }

  @Test
  void timeInTheCommitsChoosesTheVersion() throws IOException {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t USING delta AS SELECT id FROM range(3)",
        "ALTER TABLE $t SET TBLPROPERTIES ('delta.enableInCommitTimestamps'='true')",
        "INSERT INTO $t VALUES (7)",
        "DELETE FROM $t WHERE id = 1");
    table.assertSameRows();
    DeltaDataset dataset = DeltaDataset.table(folder.resolve("t").toString());
    Pattern time = Pattern.compile("\"inCommitTimestamp\":(\\d+)");
    for (long version = 1; version <= 3; version++) {
      Path commit = folder.resolve("t/_delta_log/" + String.format("%020d.json", version));
      Matcher written = time.matcher(Files.readString(commit));
      assertThat(written.find()).isTrue();
      Instant at = Instant.ofEpochMilli(Long.parseLong(written.group(1)));
      assertThat(dataset.asOf(at).version()).isEqualTo(version);
      if (version > 1) {
        assertThat(dataset.asOf(at.minusMillis(1)).version()).isEqualTo(version - 1);
      }
    }
  }

  // --- Filters

  @Test
  void filtersKeepTheRowsThatSparkKeepsAndRuleOutFiles() {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t USING delta PARTITIONED BY (p) TBLPROPERTIES ("
            + "'delta.enableDeletionVectors'='true', 'delta.columnMapping.mode'='name')"
            + " AS SELECT id, if(id % 5 = 0, null, id * 1.5BD) AS n, concat('s', id div 10) AS s,"
            + " date'2024-01-01' + int(id) AS d, named_struct('x', id * 3) AS st,"
            + " timestamp'2024-01-01 00:00:00.999999' + make_dt_interval(id) AS t,"
            + " if(id % 40 < 20, 'a b', 'c') AS p FROM range(0, 80, 1, 4)",
        "ALTER TABLE $t RENAME COLUMN id TO key",
        "ALTER TABLE $t RENAME COLUMN st.x TO y",
        "DELETE FROM $t WHERE key % 7 = 2");
    Map<String, Boolean> filters =
        Map.ofEntries(
            Map.entry("key < 5", true),
            Map.entry("key >= 79 or key = 0", true),
            Map.entry("key between 30 and 35", true),
            Map.entry("key != 3", false),
            Map.entry("key in (1, 2, 44)", true),
            Map.entry("not (key > 10 and s = 's1')", false),
            Map.entry("n > 100.5", true),
            Map.entry("n is null", false),
            Map.entry("s like 's7%'", true),
            Map.entry("p = 'a b'", true),
            Map.entry("p = 'a b' and key > 25", true),
            Map.entry("p is null", true),
            Map.entry("d >= date '2024-03-10'", true),
            Map.entry("t > timestamp '2024-03-20T00:00:00.999998Z'", true),
            Map.entry("t <= timestamp '2024-01-20T00:00:00.999999Z'", true),
            Map.entry("st.y >= 237", true),
            Map.entry("key > 1000", true));
    StructuredDataset whole = table.version(table.versions().getLast()).dataset();
    table
        .rows(List.copyOf(filters.keySet()))
        .forEach((filter, rows) -> {
          StructuredDataset filtered = whole.where(filter);
          assertThat(EveryWay.sorted(EveryWay.read(filtered))).as(filter).isEqualTo(rows);
          assertThat(filtered.plan(LoaderOptions.defaults(), 0).prunedFiles().isEmpty())
              .as(filter)
              .isNotEqualTo(filters.get(filter));
        });
  }

  // --- Where files and vectors are

  @Test
  void cloneHasTheRowsOfFilesInTheOtherTable() {
    SparkTable table = SPARK.at(folder.resolve("a b%"));
    table.sql(
        "CREATE TABLE $t USING delta PARTITIONED BY (p)"
            + " TBLPROPERTIES ('delta.enableDeletionVectors'='true')"
            + " AS SELECT id, 'x y%' AS p FROM range(20)",
        "DELETE FROM $t WHERE id % 3 = 0");
    SparkTable clone = SPARK.at(folder.resolve("clone"));
    clone.sql("CREATE TABLE $t SHALLOW CLONE delta.`" + table.folder() + "`");
    clone.sql("DELETE FROM $t WHERE id > 15");
    clone.sql("INSERT INTO $t VALUES (100, 'z')");
    clone.assertSameRows();
  }

  @Test
  void vectorsInTheLogAndAtAbsolutePathsAreApplied() throws IOException {
    SparkTable table = SPARK.at(folder.resolve("t"));
    table.sql(
        "CREATE TABLE $t USING delta TBLPROPERTIES ('delta.enableDeletionVectors'='true')"
            + " AS SELECT id FROM range(0, 50, 1, 2)",
        "DELETE FROM $t WHERE id % 4 = 1");
    List<String> expected = table.assertSameRows().get(1L);
    Path vectors = files(table.folder(), "deletion_vector_.*[.]bin").getFirst();
    Path moved = Files.move(vectors, Files.createDirectory(folder.resolve("v")).resolve("v.bin"));
    byte[] bytes = Files.readAllBytes(moved);

    Path commit = table.folder().resolve("_delta_log/00000000000000000001.json");
    String original = Files.readString(commit);
    Function<MatchResult, String> inLog =
        at -> {
          int start = Integer.parseInt(at.group(1)) + Integer.BYTES; // behind its length
          byte[] bitmap = Arrays.copyOfRange(bytes, start, start + Integer.parseInt(at.group(2)));
          return "\"storageType\":\"i\",\"pathOrInlineDv\":\"%s\",\"sizeInBytes\":%d"
              .formatted(z85(bitmap), bitmap.length);
        };
    Function<MatchResult, String> absolute =
        at ->
            "\"storageType\":\"p\",\"pathOrInlineDv\":\"%s\",\"offset\":%s,\"sizeInBytes\":%s"
                .formatted(moved.toUri(), at.group(1), at.group(2));
    for (Function<MatchResult, String> vector : List.of(inLog, absolute)) {
      String log =
          VECTOR.matcher(original).replaceAll(at -> Matcher.quoteReplacement(vector.apply(at)));
      assertThat(log).isNotEqualTo(original).doesNotContain("\"storageType\":\"u\"");
      Files.writeString(commit, log);
      StructuredDataset dataset = DeltaDataset.table(table.folder().toString()).dataset();
      assertThat(deletedRows(dataset)).isEqualTo(13);
      assertThat(EveryWay.sorted(EveryWay.read(dataset))).isEqualTo(expected);
    }
  }

  /// Writes bytes as text: each 4 bytes, as a number, become 5 digits.
  private static String z85(byte[] bytes) {
    String digits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    ByteBuffer padded = ByteBuffer.wrap(Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, 4) * 4));
    StringBuilder text = new StringBuilder();
    while (padded.hasRemaining()) {
      long number = Integer.toUnsignedLong(padded.getInt());
      for (long unit = 85L * 85 * 85 * 85; unit > 0; unit /= 85) {
        text.append(digits.charAt((int) (number / unit % 85)));
      }
    }
    return text.toString();
  }
}
