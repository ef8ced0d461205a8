package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.batch.Batch;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.steps.RowDigests;
import dev.penstock.internal.steps.RowDigests.OfRows;
import dev.penstock.internal.table.TableFile;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.Rank;
import dev.penstock.stats.EpochRecord;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.StepsReceived;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Digests were recorded with libxxhash 0.8.1, by a script in Python that packs the same numbers.
class StepLogTest {
  @TempDir Path folder;
  private Path log;
  private StructuredDataset dataset;

  @BeforeEach
  void writeNineRows() throws IOException {
    log = folder.resolve("steps.jsonl");
    write(folder.resolve("data"));
    dataset = new StructuredDataset(folder.resolve("data").toString());
  }

  private static void write(Path data) throws IOException {
    Files.createDirectories(data.resolve("b"));
    Files.writeString(data.resolve("a.csv"), "id\n0\n1\n2\n3\n4\n");
    Files.writeString(data.resolve("b/ü.csv"), "id\n5\n6\n7\n8\n");
  }

  private LoaderOptions logged(int batchSize) {
    return LoaderOptions.defaults().workers(1).batchSize(batchSize).stepLog(log);
  }

  private static void receive(EpochIterator<Batch> epoch, int batches) {
    for (int i = 0; i < batches && epoch.hasNext(); i++) {
      epoch.next().close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void everyBatchHasItsLineBeforeItIsReceived(int workers) throws IOException {
    try (DataLoader loader = DataLoader.of(dataset, logged(4).workers(workers))) {
      assertThat(loader.lastStep()).isEmpty();
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      assertThat(Files.readAllLines(log))
          .containsExactly(
              "{\"epoch\":0,\"step\":0,\"rank\":0,\"world\":1,\"rows\":4,\"digest\":\"37c7f7e2eae3ddf7\"}");
      receive(epoch, 9);
      assertThat(loader.lastStep().orElseThrow().toJson())
          .isEqualTo(
              "{\"epoch\":0,\"step\":2,\"rank\":0,\"world\":1,\"rows\":1,\"digest\":\"e841d616d0023ab5\"}");
    }
    assertThat(digests(log))
        .containsExactly("37c7f7e2eae3ddf7", "028d7c108d20bd93", "e841d616d0023ab5");
  }

  private static List<String> digests(Path log) throws IOException {
    return Files.readAllLines(log).stream().map(StepDigest::parse).map(StepDigest::hex).toList();
  }

  @Test
  void movedDatasetHasTheSameDigests() throws IOException {
    try (DataLoader loader = DataLoader.of(dataset, logged(4))) {
      receive(loader.iterator(), 9);
    }
    write(folder.resolve("elsewhere/deep/er"));
    Path other = folder.resolve("other.jsonl");
    StructuredDataset moved = new StructuredDataset(folder.resolve("elsewhere").toString());
    try (DataLoader loader = DataLoader.of(moved, logged(4).stepLog(other))) {
      receive(loader.iterator(), 9);
    }
    assertThat(other).hasSameTextualContentAs(log);
  }

  @Test
  void ranksShareAFile() throws IOException {
    try (DataLoader first = DataLoader.of(dataset, logged(2).rank(new Rank(0, 2)));
        DataLoader second = DataLoader.of(dataset, logged(2).rank(new Rank(1, 2)))) {
      EpochIterator<Batch> one = first.iterator();
      EpochIterator<Batch> other = second.iterator();
      while (one.hasNext() || other.hasNext()) {
        receive(one, 1);
        receive(other, 1);
      }
    }
    assertThat(Files.readAllLines(log).stream().map(StepDigest::parse))
        .extracting(step -> step.step() + " " + step.rank() + "/" + step.world())
        .containsExactly("0 0/2", "0 1/2", "1 0/2", "1 1/2", "2 0/2", "2 1/2");
    assertThat(digests(log)).endsWith("ef46db3751d8e999"); // an empty batch
  }

  @Test
  void stepsAreNumberedOnAfterAResume() throws IOException {
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, logged(2))) {
      receive(loader.iterator(), 3);
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, logged(2))) {
      loader.resume(state);
      receive(loader.iterator(), 9);
      receive(loader.iterator(), 1);
    }
    assertThat(Files.readAllLines(log).stream().map(StepDigest::parse))
        .extracting(step -> step.epoch() + " " + step.step())
        .containsExactly("0 0", "0 1", "0 2", "0 3", "0 4", "1 0");
  }

  @Test
  void lineThatWasCutOffStaysApart() throws IOException {
    Files.writeString(log, "{\"epoch\":0,\"st");
    try (DataLoader loader = DataLoader.of(dataset, logged(9))) {
      receive(loader.iterator(), 1);
    }
    List<String> lines = Files.readAllLines(log);
    assertThat(lines).hasSize(2);
    assertThat(StepDigest.parse(lines.getLast()).rows()).isEqualTo(9);
  }

  @Test
  void epochDoesNotStartWhereTheLogCannotBe() {
    Path file = folder.resolve("none/steps.jsonl");
    try (DataLoader loader = DataLoader.of(dataset, logged(4).stepLog(file))) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage("Cannot write the log of steps '" + file + "': No such file or directory.");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void fullDiskEndsTheEpochBehindTheLastBatchReceived(int workers) {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "this system has no /dev/full");
    try (DataLoader loader = DataLoader.of(dataset, logged(4).workers(workers).stepLog(full))) {
      EpochIterator<Batch> epoch = loader.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage("Cannot write the log of steps '/dev/full': No space left on device.");
      assertThat(loader.state().batches()).isZero();
      assertThat(loader.lastStep()).isEmpty();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot continue epoch 0: the digest of a step could not be noted.");
    }
  }

  @Test
  void digestsAreMadeOnlyOnRequest() {
    try (DataLoader loader = DataLoader.of(dataset, LoaderOptions.defaults().batchSize(4))) {
      receive(loader.iterator(), 1);
      assertThat(loader.lastStep()).isEmpty();
      assertThat(loader.history().getFirst().steps()).isEmpty();
    }
  }

  @Test
  void flightRecorderIsToldEachStep() throws IOException {
    Path file = folder.resolve("steps.jfr");
    try (Recording recording = new Recording();
        DataLoader loader = DataLoader.of(dataset, logged(4).rank(new Rank(0, 2)))) {
      recording.enable("penstock.Step");
      recording.start();
      receive(loader.iterator(), 9);
      recording.stop();
      recording.dump(file);
    }
    List<StepDigest> told =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("penstock.Step"))
            .map(event ->
                new StepDigest(
                    event.getLong("epoch"),
                    event.getLong("step"),
                    event.getInt("rank"),
                    event.getInt("world"),
                    event.getInt("rows"),
                    HexFormat.fromHexDigitsToLong(event.getString("digest"))))
            .toList();
    assertThat(told)
        .isEqualTo(Files.readAllLines(log).stream().map(StepDigest::parse).toList())
        .hasSize(2);
  }

  @Test
  void historySumsUpTheSteps() {
    UnaryOperator<LoaderOptions> options = o -> o.workers(1).batchSize(1).stepDigests(true);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      receive(loader.iterator(), 1);
      StepDigest first = loader.lastStep().orElseThrow();
      receive(loader.iterator(), 1);
      EpochIterator<Batch> epoch = loader.iterator();
      receive(epoch, 12);
      List<StepsReceived> steps =
          loader.history().stream().map(EpochRecord::steps).map(Optional::orElseThrow).toList();
      assertThat(steps).extracting(StepsReceived::count).containsExactly(1L, 1L, 9L);
      assertThat(steps.getFirst().last()).containsExactly(first);
      assertThat(steps.getFirst().digest()).isEqualTo(StepsReceived.of(List.of(first)).digest());
      // xxh64 of 0, step 0 and its digest, by libxxhash
      assertThat(HexFormat.of().toHexDigits(steps.getFirst().digest()))
          .isEqualTo("03cc36d47ec23513");
      assertThat(steps.getLast().last().getLast().step()).isEqualTo(8);
    }
  }

  /// Of rows that no loader without a table's catalog or a composition gives.
  @Nested
  class OfStoredRows {
    private final List<TableFile> files = new ArrayList<>();
    private RowDigests digests;

    @BeforeEach
    void deleteAllRowsOfAFileButTwo() {
      RowSet live = RowSet.allBut(5, LongStream.of(0, 2, 3));
      for (TableFile file : dataset.table().files()) {
        files.add(file.location().name().equals("a.csv") ? file.only(live) : file);
      }
      digests = new RowDigests(List.of(files));
    }

    private RowOrigin origin(int file, long first, long end) {
      return new RowOrigin(files.get(file).location(), first, end);
    }

    private StepRow row(int place, int file, long row, long end, StepRow.Part... part) {
      return new StepRow(
          0,
          0,
          0,
          place,
          OptionalLong.empty(),
          files.get(file).location(),
          row,
          end,
          OptionalLong.empty(),
          Optional.ofNullable(part.length == 0 ? null : part[0]));
    }

    private OfRows of(StepRow... rows) {
      Map<Long, OfRows> found = digests.bySteps(Stream.of(rows));
      assertThat(found).containsOnlyKeys(0L);
      return found.getOrDefault(0L, RowDigests.none());
    }

    private void assertDigest(OfRows of, int rows, String digest) {
      assertThat(of).isEqualTo(new OfRows(rows, HexFormat.fromHexDigitsToLong(digest)));
    }

    @Test
    void deletedRowsCount() {
      assertDigest(
          digests.of(
              List.of(
                  List.of(RowPart.whole(origin(0, 0, 1))),
                  List.of(RowPart.whole(origin(0, 1, 2))))),
          2,
          "ccfe1633d4bb8f0b");
      assertDigest(of(row(0, 0, 1, 2), row(1, 0, 4, 5)), 2, "ccfe1633d4bb8f0b");
    }

    @Test
    void rowMadeOfSeveralHasTheirRange() {
      assertDigest(
          digests.of(List.of(List.of(RowPart.whole(origin(0, 0, 2))))), 1, "2ad3cd81e52b1607");
      assertDigest(of(row(0, 0, 1, 5)), 1, "2ad3cd81e52b1607");
    }

    @Test
    void elementsOfPacksHaveTheirNumbers() {
      digests = new RowDigests(List.of(dataset.table().files()));
      assertDigest(
          digests.of(
              List.of(
                  List.of(
                      new RowPart(0, origin(0, 1, 2), 0, 3, 0),
                      new RowPart(0, origin(0, 2, 3), 1, 2, 3)),
                  List.of(RowPart.whole(origin(1, 0, 1))))),
          2,
          "2060c19181df996f");
      assertDigest(
          of(
              row(0, 0, 1, 2, new StepRow.Part(0, 3, 0)),
              row(0, 0, 2, 3, new StepRow.Part(1, 2, 3)),
              row(1, 1, 0, 1)),
          2,
          "2060c19181df996f");
    }

    @Test
    void noRowsHaveADigestToo() {
      assertDigest(digests.of(List.of()), 0, "ef46db3751d8e999");
      assertDigest(RowDigests.none(), 0, "ef46db3751d8e999");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"epoch\":0,\"step\":1,\"rank\":0,\"world\":1,\"rows\":4}",
        "{\"epoch\":0,\"step\":1,\"rank\":1,\"world\":1,\"rows\":4,\"digest\":\"0123456789abcdef\"}",
        "{\"epoch\":0,\"step\":1,\"rank\":0,\"world\":1,\"rows\":4,\"digest\":\"0123456789abcde\"}",
        "{\"epoch\":0,\"step\":-1,\"rank\":0,\"world\":1,\"rows\":4,\"digest\":\"0123456789abcdef\"}",
        "{\"epoch\":0,\"step\":1,\"rank\":0,\"wor",
        "step 1",
        "[]",
      })
  void whatIsNoLineIsRefused(String line) {
    assertThatThrownBy(() -> StepDigest.parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read the digest of a step: ");
  }

  @Test
  void lineMayHaveMoreFields() {
    String line =
        "{\"epoch\":2,\"step\":1,\"rank\":3,\"world\":4,\"rows\":4,\"digest\":\"fedcba9876543210\""
            + ",\"loss\":1.5}";
    assertThat(StepDigest.parse(line))
        .isEqualTo(new StepDigest(2, 1, 3, 4, 4, 0xfedc_ba98_7654_3210L));
  }
}
