package dev.penstock.delta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.delta.internal.log.LogEngine;
import dev.penstock.delta.internal.log.TableFiles;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Field;
import dev.penstock.spi.catalog.LocationMap;
import dev.penstock.spi.catalog.TableLocations;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.Seeded;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.exceptions.KernelEngineException;
import io.delta.kernel.internal.checkpoints.CheckpointMetaData;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaDatasetTest {
  static final String DELETED = "src/test/resources/golden/dv-partitioned-with-checkpoint";
  private static final String V2 = "src/test/resources/golden/v2-checkpoint-json";
  private static final long NEWEST = 15;

  @TempDir Path folder;

  private static List<String> rows(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.MAP));
        EpochIterator<Batch> batches = loader.iterator()) {
      return rows(dataset, batches, Long.MAX_VALUE);
    }
  }

  private static List<String> rows(
      StructuredDataset dataset, EpochIterator<Batch> batches, long most) {
    List<Field> fields = dataset.schema().fields();
    List<String> rows = new ArrayList<>();
    for (long i = 0; i < most && batches.hasNext(); i++) {
      try (Batch batch = batches.next()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          List<Object> values = new ArrayList<>();
          for (Field field : fields) {
            values.add(batch.list(field.name()).get(row));
          }
          rows.add(SparkJson.row(fields, values));
        }
      }
    }
    return rows;
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private Path copy(String table) throws IOException {
    return copy(table, folder);
  }

  static Path copy(String table, Path folder) throws IOException {
    Path from = Path.of(table);
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Path to = folder.resolve("t").resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(to);
        } else {
          Files.copy(path, to);
        }
      }
    }
    return folder.resolve("t");
  }

  /// How many rows a version has by its commits alone, of which none is missing.
  private static long rowsByCommits(long version) throws IOException {
    Pattern path = Pattern.compile("\"path\":\"([^\"]*)\"");
    Pattern rows = Pattern.compile("\\\\\"numRecords\\\\\":(\\d+)");
    Pattern deleted = Pattern.compile("\"cardinality\":(\\d+)");
    Map<String, Long> files = new HashMap<>();
    for (long commit = 0; commit <= version; commit++) {
      Path file = Path.of(DELETED, "_delta_log", String.format(Locale.ROOT, "%020d.json", commit));
      Map<String, Long> added = new HashMap<>();
      for (String line : Files.readAllLines(file)) {
        boolean isAdd = line.startsWith("{\"add\"");
        if (isAdd || line.startsWith("{\"remove\"")) {
          Matcher name = path.matcher(line);
          assertThat(name.find()).isTrue();
          if (isAdd) {
            Matcher all = rows.matcher(line);
            assertThat(all.find()).isTrue();
            Matcher gone = deleted.matcher(line);
            long left = Long.parseLong(all.group(1));
            added.put(name.group(1), gone.find() ? left - Long.parseLong(gone.group(1)) : left);
          } else {
            files.remove(name.group(1));
          }
        }
      }
      files.putAll(added);
    }
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  /// Written by delta-rs 1.6.6, which states the bounds of decimals as doubles.
  @Test
  void filterFindsADecimalThatADoubleCannotHold() {
    StructuredDataset table = DeltaDataset.table("src/test/resources/delta-rs/decimals").dataset();
    LoaderOptions options = LoaderOptions.defaults();
    assertThat(rows(table.where("dec = -9917163616.9425850248"), options)).hasSize(1);
    assertThat(rows(table.where("dec < -9917163617"), options)).isEmpty();
  }

  @Test
  void everyVersionHasTheRowsOfItsCommits() throws IOException {
    for (long version = 0; version <= NEWEST; version++) {
      DeltaDataset table = DeltaDataset.table(DELETED).version(version);
      assertThat(rows(table.dataset(), LoaderOptions.defaults()))
          .as("version " + version)
          .hasSize((int) rowsByCommits(version));
      assertThat(table.version()).isEqualTo(version);
    }
    assertThat(DeltaDataset.table(DELETED).version()).isEqualTo(NEWEST);
  }

  @Test
  void oneVersionHasTheSameFiles() {
    StructuredDataset newest = DeltaDataset.table(DELETED).dataset();
    assertThat(newest.hasSameFiles(DeltaDataset.table(DELETED).version(NEWEST).dataset())).isTrue();
    assertThat(newest.hasSameFiles(DeltaDataset.table(DELETED).version(3).dataset())).isFalse();
    StructuredDataset files = new StructuredDataset(DELETED).format("parquet");
    assertThat(newest.hasSameFiles(files)).isFalse();
    assertThat(files.hasSameFiles(newest)).isFalse();
  }

  @Seeded(runs = 40)
  void splitsFiltersWorkersAndRanksGiveTheSameRows(Random random) {
    StructuredDataset whole = DeltaDataset.table(DELETED).dataset();
    String filter =
        List.of("col1 >= 0", "col1 < 10", "part = 3", "part > 5 and col1 > 5", "col2 is null")
            .get(random.nextInt(5));
    StructuredDataset filtered = whole.where(filter);
    List<String> expected =
        sorted(rows(whole, LoaderOptions.defaults())).stream()
            .filter(row -> keeps(filter, row))
            .toList();
    int ranks = 1 + random.nextInt(3);
    List<String> found = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      found.addAll(
          rows(
              filtered.splitRows(1 + random.nextInt(5)),
              options(random).rank(new Rank(rank, ranks))));
    }
    assertThat(sorted(found)).isEqualTo(expected);
  }

  private static LoaderOptions options(Random random) {
    return LoaderOptions.defaults()
        .batchSize(1 + random.nextInt(6))
        .shuffle(random.nextBoolean() ? Shuffle.splits() : Shuffle.window(7))
        .seed(5)
        .workers(List.of(0, 1, 8).get(random.nextInt(3)));
  }

  private static boolean keeps(String filter, String row) {
    Matcher values =
        Pattern.compile("\\{\"part\":(\\d+),\"col1\":(\\d+),\"col2\":(.*)}").matcher(row);
    assertThat(values.matches()).as(row).isTrue();
    int part = Integer.parseInt(values.group(1));
    int col1 = Integer.parseInt(values.group(2));
    return switch (filter) {
      case "col1 >= 0" -> true;
      case "col1 < 10" -> col1 < 10;
      case "part = 3" -> part == 3;
      case "part > 5 and col1 > 5" -> part > 5 && col1 > 5;
      default -> values.group(3).equals("null");
    };
  }

  @Seeded(runs = 30)
  void stoppedRunGoesOnWithTheNextRow(Random random) {
    StructuredDataset dataset =
        DeltaDataset.table(DELETED).dataset().splitRows(1 + random.nextInt(9));
    LoaderOptions options = options(random).output(OutputFormat.MAP);
    List<String> whole = rows(dataset, options);
    List<String> parts;
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options);
        EpochIterator<Batch> batches = loader.iterator()) {
      parts = rows(dataset, batches, random.nextInt(20));
      state = loader.state();
    }
    if (state.epoch() == 0) {
      StructuredDataset again = DeltaDataset.table(DELETED).version(NEWEST).dataset();
      try (DataLoader loader = DataLoader.of(again, options.workers(random.nextInt(4)))) {
        loader.resume(state);
        try (EpochIterator<Batch> batches = loader.iterator()) {
          parts.addAll(rows(again, batches, Long.MAX_VALUE));
        }
      }
    }
    assertThat(parts).isEqualTo(whole);
  }

  @Test
  void stateOfAnotherVersionIsRefused() {
    LoaderState state;
    try (DataLoader loader =
        DataLoader.of(DeltaDataset.table(DELETED).version(3).dataset(), LoaderOptions.defaults())) {
      state = loader.state();
    }
    try (DataLoader loader =
        DataLoader.of(DeltaDataset.table(DELETED).dataset(), LoaderOptions.defaults())) {
      loader.resume(state);
      assertThatThrownBy(loader::iterator)
          .hasMessageContaining("version(15)")
          .hasMessageContaining("version(3)");
    }
  }

  @Test
  void filterRulesOutFilesByPartitionAndStatistics() {
    StructuredDataset dataset = DeltaDataset.table(DELETED).dataset();
    int all = dataset.files().size();
    for (String filter : List.of("part = 3", "col1 = 7", "col1 > 1000")) {
      StructuredDataset filtered = dataset.where(filter);
      assertThat(filtered.plan(LoaderOptions.defaults(), 0).prunedFiles())
          .as(filter)
          .hasSizeGreaterThan(all / 2);
    }
    assertThat(rows(dataset.where("col1 > 1000"), LoaderOptions.defaults())).isEmpty();
  }

  @Test
  void deletedRowsAreInTheDetailsOfFiles() throws IOException {
    long deleted =
        DeltaDataset.table(DELETED).dataset().files().stream()
            .mapToLong(file -> ((DeltaFileDetails) file.details().orElseThrow()).deletedRows())
            .sum();
    assertThat(deleted).isPositive();
    assertThat(rowsByCommits(NEWEST)).isEqualTo(35);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "{", "[1]", "null"})
  void hintAtTheLastCheckpointMayBeMissingOrDamaged(@Nullable String hint) throws IOException {
    Path table = copy(DELETED);
    Path file = table.resolve("_delta_log").resolve("_last_checkpoint");
    Files.deleteIfExists(file);
    if (hint != null) {
      Files.writeString(file, hint);
    }
    assertThat(rows(DeltaDataset.table(table.toString()).dataset(), LoaderOptions.defaults()))
        .hasSize((int) rowsByCommits(NEWEST));
    // What else is thrown, Delta's library tries again three times, each with a stack trace in the
    // log, and after no lines at all it waits for a second.
    assertThatThrownBy(() -> hint(file).next())
        .isInstanceOf(KernelEngineException.class)
        .hasCauseInstanceOf(FileNotFoundException.class);
  }

  private static CloseableIterator<ColumnarBatch> hint(Path file) throws IOException {
    return LogEngine.of(new TableFiles(TableLocations.named(LocationMap.NONE, StorageOptions.NONE)))
        .getJsonHandler()
        .readJsonFiles(
            Utils.toCloseableIterator(List.of(FileStatus.of(file.toString(), 0, 0)).iterator()),
            CheckpointMetaData.READ_SCHEMA,
            Optional.empty());
  }

  @Test
  void checkpointsInJsonAreRead() {
    assertThat(rows(DeltaDataset.table(V2).dataset(), LoaderOptions.defaults())).hasSize(10);
  }

  @Test
  void tableIsPinnedUntilItIsOpenedAnew() throws IOException {
    Path table = copy(DELETED);
    Path last =
        table.resolve("_delta_log").resolve(String.format(Locale.ROOT, "%020d.json", NEWEST));
    byte[] commit = Files.readAllBytes(last);
    Files.delete(last);
    DeltaDataset pinned = DeltaDataset.table(table.toString());
    assertThat(pinned.version()).isEqualTo(NEWEST - 1);
    Files.write(last, commit);
    assertThat(pinned.version()).isEqualTo(NEWEST - 1);
    assertThat(DeltaDataset.table(table.toString()).version()).isEqualTo(NEWEST);
  }

  /// Prints how many files a table has; its rows are shared by ranks, but not its log.
  public static final class CountFiles {
    private CountFiles() {}

    public static void main(String[] args) {
      System.out.println(DeltaDataset.table(args[0]).dataset().files().size());
    }
  }

  @Test
  void everyRankReadsTheWholeCheckpoint() throws Exception {
    for (String table : List.of(DELETED, V2)) {
      ProcessBuilder ranked =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  CountFiles.class.getName(),
                  table)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      ranked.environment().putAll(Map.of("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1"));
      Process process = ranked.start();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).isZero();
      assertThat(printed.strip())
          .isEqualTo(String.valueOf(DeltaDataset.table(table).dataset().files().size()));
    }
  }

  // --- Stores

  @Test
  void tableInAStoreWithoutFoldersHasTheSameRows() throws IOException {
    List<String> local = rows(DeltaDataset.table(DELETED).dataset(), LoaderOptions.defaults());
    MemoryStorage.Site site = MemoryStorage.site().put(copy(DELETED).getParent());
    for (String location : List.of(site.location() + "/t", site.location() + "/t/")) {
      StructuredDataset table = DeltaDataset.table(location).dataset();
      assertThat(rows(table, LoaderOptions.defaults())).isEqualTo(local);
    }
  }

  @Test
  void fileNamesWithSpecialCharactersAreFound() throws IOException {
    Path table = copy(V2);
    Path odd = folder.resolve("a b%41ü=1");
    Files.move(table, odd);
    assertThat(rows(DeltaDataset.table(odd.toString()).dataset(), LoaderOptions.defaults()))
        .isEqualTo(rows(DeltaDataset.table(V2).dataset(), LoaderOptions.defaults()));
  }

  // --- Times

  /// A second after the one before.
  private static Instant timeOf(long version) {
    return Instant.parse("2026-11-01T12:00:00Z").plusSeconds(version);
  }

  private static Path commit(Path table, long version) {
    return table.resolve("_delta_log").resolve(String.format(Locale.ROOT, "%020d.json", version));
  }

  private static void write(Path commit, Instant time) throws IOException {
    Files.setLastModifiedTime(commit, FileTime.from(time));
  }

  /// Copies a table whose commits do not say when they were made.
  private Path timed() throws IOException {
    Path table = copy(DELETED);
    for (long version = 0; version <= NEWEST; version++) {
      write(commit(table, version), timeOf(version));
    }
    return table;
  }

  private static DeltaDataset at(Path table, Instant time) {
    return DeltaDataset.table(table.toString()).asOf(time);
  }

  @Test
  void textShowsVersionAndColumnsOnceTheTableIsOpened() {
    DeltaDataset table = DeltaDataset.table(DELETED);
    assertThat(table).hasToString("DeltaDataset " + DELETED + ", newest version, not opened yet");
    assertThat(table.asOf(Instant.EPOCH))
        .hasToString(
            "DeltaDataset " + DELETED + ", version as of 1970-01-01T00:00:00Z, not opened yet");
    DeltaDataset second = table.version(1).storageOption("proxy-password", "hunter22");
    String columns = second.dataset().schema().summary();
    assertThat(columns).startsWith("[").hasSizeGreaterThan(10);
    assertThat(second).hasToString("DeltaDataset " + DELETED + ", version 1, columns " + columns);
    assertThat(DeltaDataset.table("no such table"))
        .hasToString("DeltaDataset no such table, newest version, not opened yet");
  }

  @Test
  void timeChoosesTheVersionByTheFilesOfCommits() throws IOException {
    Path table = timed();
    for (long version = 0; version <= NEWEST; version++) {
      DeltaDataset then = at(table, timeOf(version));
      assertThat(then.version()).isEqualTo(version);
      assertThat(rows(then.dataset(), LoaderOptions.defaults()))
          .hasSize((int) rowsByCommits(version));
      assertThat(at(table, timeOf(version).plusMillis(999)).version()).isEqualTo(version);
    }
  }

  @Test
  void timeAfterTheLastCommitChoosesTheNewestVersion() throws IOException {
    Path table = timed();
    assertThat(at(table, timeOf(99)).version()).isEqualTo(NEWEST);
    assertThat(at(table, Instant.MAX).version()).isEqualTo(NEWEST);
  }

  @Test
  void localeWithDigitsOfItsOwnIsRefused() throws IOException {
    Path table = timed();
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG"));
    try {
      assertThatThrownBy(() -> DeltaDataset.table(table.toString()).dataset())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("in the locale ar-EG: Delta's library looks for commits");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  @Test
  void timeBeforeTheFirstCommitIsRefused() throws IOException {
    Path table = timed();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> at(table, timeOf(0).minusMillis(1)).dataset())
        .withMessage(
            "Cannot read Delta table '"
                + table
                + "' as of 2026-11-01T11:59:59.999Z: the first version in its log is version(0) of"
                + " 2026-11-01T12:00:00Z. Choose that time or a later one.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> at(table, Instant.MIN).dataset())
        .withMessageContaining("version(0)");
  }

  @Test
  void firstCommitIsThatOfTheFirstCheckpointWhenEarlierOnesAreGone() throws IOException {
    Path table = timed();
    Files.delete(commit(table, 0));
    assertThat(at(table, timeOf(10)).version()).isEqualTo(10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> at(table, timeOf(9)).dataset())
        .withMessageContaining("version(10) of 2026-11-01T12:00:10Z");
  }

  /// Clocks differ, and a copy writes files in any order.
  @Test
  void commitWrittenBeforeTheOneBeforeItCountsAsAMillisecondLater() throws IOException {
    Path table = timed();
    write(commit(table, 4), timeOf(0));
    write(commit(table, 5), timeOf(3));
    write(commit(table, NEWEST), timeOf(2));
    assertThat(at(table, timeOf(3)).version()).isEqualTo(3);
    assertThat(at(table, timeOf(3).plusMillis(1)).version()).isEqualTo(4);
    assertThat(at(table, timeOf(3).plusMillis(2)).version()).isEqualTo(5);
    assertThat(at(table, timeOf(6).minusMillis(1)).version()).isEqualTo(5);
    assertThat(at(table, timeOf(14)).version()).isEqualTo(14);
    assertThat(at(table, timeOf(14).plusMillis(1)).version()).isEqualTo(NEWEST);
  }

  @Test
  void timeIsRefusedWhereNeitherTheLogNorTheStoreTellsIt() throws IOException {
    MemoryStorage.Site site = MemoryStorage.site().put(copy(DELETED).getParent());
    DeltaDataset table = DeltaDataset.table(site.location() + "/t").asOf(timeOf(7));
    for (long version = 0; version <= NEWEST; version++) {
      assertThatThrownBy(table::dataset)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read Delta table '"
                  + site.location()
                  + "/t' as of 2026-11-01T12:00:07Z: its log does not say when versions of that"
                  + " time were written (delta.enableInCommitTimestamps), and the store does not"
                  + " say when their files were. Choose a version by its number.");
      site.written(String.format(Locale.ROOT, "t/_delta_log/%020d.json", version), timeOf(version));
    }
    assertThat(table.version()).isEqualTo(7);
  }

  /// Makes a table without rows whose commits say that they were made in seconds 1, 2 and so on.
  private Path ownTimes(int versions, String properties) throws IOException {
    Path log = Files.createDirectories(folder.resolve("t/_delta_log"));
    String protocol =
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":7,"
            + "\"writerFeatures\":[\"inCommitTimestamp\"]}}";
    String schema =
        "{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{\\\"name\\\":\\\"id\\\","
            + "\\\"type\\\":\\\"long\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}]}";
    String metadata =
        "{\"metaData\":{\"id\":\"t\",\"format\":{\"provider\":\"parquet\",\"options\":{}},"
            + "\"schemaString\":\""
            + schema
            + "\",\"partitionColumns\":[],"
            + "\"configuration\":{\"delta.enableInCommitTimestamps\":\"true\""
            + properties
            + "},\"createdTime\":0}}";
    for (int version = 0; version < versions; version++) {
      String info =
          "{\"commitInfo\":{\"inCommitTimestamp\":" + 1_000 * (version + 1) + ",\"timestamp\":0}}";
      Files.writeString(
          log.resolve(String.format(Locale.ROOT, "%020d.json", version)),
          version == 0 ? String.join("\n", info, protocol, metadata) : info);
    }
    return folder.resolve("t");
  }

  @Test
  void timeChoosesTheVersionWhereCommitsTellTheirs() throws IOException {
    Path table = ownTimes(3, "");
    MemoryStorage.Site site = MemoryStorage.site().put(table.getParent());
    for (String location : List.of(table.toString(), site.location() + "/t")) {
      DeltaDataset dataset = DeltaDataset.table(location);
      assertThat(dataset.asOf(Instant.ofEpochMilli(2_500)).version()).isEqualTo(1);
      assertThat(dataset.asOf(Instant.ofEpochMilli(1_000)).version()).isEqualTo(0);
      assertThat(dataset.asOf(Instant.ofEpochMilli(9_000)).version()).isEqualTo(2);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> dataset.asOf(Instant.ofEpochMilli(999)).dataset())
          .withMessageContaining("version(0) of 1970-01-01T00:00:01Z");
    }
  }

  @Test
  void filesTellTheTimesOfCommitsBeforeTheFirstThatDoes() throws IOException {
    Path table =
        ownTimes(
            5,
            ",\"delta.inCommitTimestampEnablementVersion\":\"2\","
                + "\"delta.inCommitTimestampEnablementTimestamp\":\"3000\"");
    write(commit(table, 0), Instant.ofEpochMilli(100));
    write(commit(table, 1), Instant.ofEpochMilli(200));
    assertThat(at(table, Instant.ofEpochMilli(199)).version()).isEqualTo(0);
    assertThat(at(table, Instant.ofEpochMilli(2_999)).version()).isEqualTo(1);
    assertThat(at(table, Instant.ofEpochMilli(4_500)).version()).isEqualTo(3);
    MemoryStorage.Site untimed = MemoryStorage.site().put(table.getParent());
    DeltaDataset remote = DeltaDataset.table(untimed.location() + "/t");
    assertThat(remote.asOf(Instant.ofEpochMilli(4_500)).version()).isEqualTo(3);
    assertThatThrownBy(() -> remote.asOf(Instant.ofEpochMilli(2_999)).dataset())
        .hasMessageEndingWith("Choose a version by its number.");
  }

  // --- Wrong input

  @Test
  void versionThatTheTableDoesNotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeltaDataset.table(DELETED).version(99).dataset())
        .withMessageContaining(DELETED)
        .withMessageContaining("99");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeltaDataset.table(DELETED).version(-1))
        .withMessage("version must be 0 or more, got -1.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/nowhere"})
  void folderWithoutALogIsNotATable(String below) throws IOException {
    Files.createDirectories(folder.resolve("empty"));
    assertThatThrownBy(() -> DeltaDataset.table(folder.resolve("empty") + below).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void corruptDeletionVectorIsAnError() throws IOException {
    Path table = copy(DELETED);
    try (Stream<Path> files = Files.list(table)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".bin")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
      }
    }
    assertThatThrownBy(
            () -> rows(DeltaDataset.table(table.toString()).dataset(), LoaderOptions.defaults()))
        .hasMessageContaining("Corrupt deletion vector");
  }

  @Test
  void missingDeletionVectorIsAnError() throws IOException {
    Path table = copy(DELETED);
    try (Stream<Path> files = Files.list(table)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".bin")).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(
            () -> rows(DeltaDataset.table(table.toString()).dataset(), LoaderOptions.defaults()))
        .hasMessageContaining("deletion_vector_")
        .message()
        .doesNotContain("Corrupt");
  }

  @Test
  void corruptCommitIsAnErrorThatNamesItsLine() throws IOException {
    Path table = copy(DELETED);
    Path commit =
        table.resolve("_delta_log").resolve(String.format(Locale.ROOT, "%020d.json", NEWEST));
    String text = Files.readString(commit).strip();
    Files.writeString(commit, text.substring(0, text.length() - 1));
    assertThatThrownBy(
            () -> rows(DeltaDataset.table(table.toString()).dataset(), LoaderOptions.defaults()))
        .hasMessageContaining("Corrupt Delta log")
        .hasMessageContaining("00015.json")
        .hasMessageContaining("line ");
  }
}
