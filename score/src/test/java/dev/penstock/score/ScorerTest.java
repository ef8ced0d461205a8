package dev.penstock.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScorerTest {
  private static final int ROWS = 1000;

  @TempDir Path temp;
  private StructuredDataset table;
  private String out;

  @BeforeEach
  void writeTable() throws IOException {
    Files.createDirectories(temp.resolve("table"));
    for (int file = 0; file < 4; file++) {
      StringBuilder lines = new StringBuilder("id,x,name\n");
      for (int id = file * 250; id < (file + 1) * 250; id++) {
        lines
            .append(id)
            .append(',')
            .append(id % 7 == 0 ? "" : id / 2.0)
            .append(",n")
            .append(id)
            .append('\n');
      }
      Files.writeString(temp.resolve("table/" + file + ".csv"), lines);
    }
    table = new StructuredDataset(temp.resolve("table").toString());
    out = temp.resolve("scores").toString();
  }

  /// Ten times the key and one.
  private static final Model TENFOLD =
      batch -> {
        long[] ids = (long[]) batch.tensor("id").toArray();
        float[] scores = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
          scores[i] = ids[i] * 10 + 1;
        }
        return Map.of("score", Tensor.of(scores));
      };

  private Scorer scorer(Model model) {
    return Scorer.of(table, model).keys("id").partRows(100).options(o -> o.batchSize(64));
  }

  private List<Map<String, Object>> scores() {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(out), o -> o.output(OutputFormat.MAP).rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            Map<String, Object> values = new java.util.LinkedHashMap<>();
            for (String name : batch.names()) {
              values.put(name, batch.list(name).get(row));
            }
            rows.add(values);
          }
        }
      }
    }
    return rows;
  }

  private List<Long> ids() {
    return scores().stream().map(row -> (Long) row.get("id")).toList();
  }

  private static List<Long> ids(int from, int to) {
    return java.util.stream.LongStream.range(from, to).boxed().toList();
  }

  private Set<String> parts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(out))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("part-"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void eachRowIsScoredOnceInTheOrderOfTheTable() throws Exception {
    ScoreResult result = scorer(TENFOLD).columns("name", "x").writeTo(out);
    assertThat(result.rows()).isEqualTo(ROWS);
    assertThat(result.parts()).isEqualTo(10);
    assertThat(result.isComplete()).isTrue();
    List<Map<String, Object>> scores = scores();
    assertThat(scores).hasSize(ROWS);
    for (int id = 0; id < ROWS; id++) {
      Map<String, Object> row = scores.get(id);
      assertThat(row.keySet()).containsExactly("id", "name", "x", "score");
      assertThat(row.get("id")).isEqualTo((long) id);
      assertThat(row.get("name")).isEqualTo("n" + id);
      assertThat(row.get("x")).isEqualTo(id % 7 == 0 ? null : id / 2.0);
      assertThat(row.get("score")).isEqualTo(id * 10 + 1f);
    }
    assertThat(scorer(TENFOLD).columns("name", "x").check(out))
        .isEqualTo(new ScoreCheck(10, ROWS, 0));
  }

  @Test
  void aSecondCallFindsAllParts() throws Exception {
    scorer(TENFOLD).writeTo(out);
    ScoreResult again =
        scorer(
                _ -> {
                  throw new AssertionError("nothing is to be scored");
                })
            .writeTo(out);
    assertThat(again.parts()).isZero();
    assertThat(again.found()).isEqualTo(10);
    assertThat(again.isComplete()).isTrue();
  }

  @Test
  void onlyMissingPartsAreMadeByAnotherNumberOfRanks() throws Exception {
    scorer(TENFOLD).writeTo(out);
    List<Map<String, Object>> before = scores();
    Files.delete(Path.of(out, Manifest.FILE));
    int number = 0;
    for (String name : parts().stream().sorted().toList()) {
      if (number++ % 3 != 0) {
        Files.delete(Path.of(out, name));
      }
    }
    int made = 0;
    for (int rank = 0; rank < 3; rank++) {
      ScoreResult result = scorer(TENFOLD).rank(new Rank(rank, 3)).workers(rank + 1).writeTo(out);
      made += result.parts();
      assertThat(result.isComplete()).isEqualTo(rank == 2);
    }
    assertThat(made).isEqualTo(6);
    assertThat(scores()).isEqualTo(before);
    assertThat(scorer(TENFOLD).check(out).rows()).isEqualTo(ROWS);
  }

  @Test
  void aFilterLeavesItsRows() throws Exception {
    table = table.where("id >= 333 and id < 777");
    scorer(TENFOLD).writeTo(out);
    assertThat(ids()).isEqualTo(ids(333, 777));
    assertThat(scorer(TENFOLD).check(out).rows()).isEqualTo(444);
  }

  @Test
  void noRowsLeaveNothingToWrite() throws Exception {
    table = table.where("id < 0");
    ScoreResult result = scorer(TENFOLD).writeTo(out);
    assertThat(result.rows()).isZero();
    assertThat(result.isComplete()).isTrue();
  }

  @Test
  void anExceptionOfTheModelNamesFileAndRow() {
    assertThatThrownBy(() -> scorer(failsFor(613)).workers(1).writeTo(out))
        .isInstanceOf(ModelException.class)
        .hasMessageStartingWith("The model failed for row 113 of ")
        .hasMessageContaining("2.csv: no 613.")
        .hasRootCauseMessage("no 613");
  }

  @Test
  void anExceptionForTheFirstRowNamesIt() {
    assertThatThrownBy(() -> scorer(failsFor(0)).writeTo(out))
        .isInstanceOf(ModelException.class)
        .hasMessageStartingWith("The model failed for row 0 of ");
  }

  @Test
  void rowsThatAreSkippedAreListed() throws Exception {
    ScoreResult result = scorer(failsFor(0, 5, 613, 614, 999)).onError(OnError.SKIP).writeTo(out);
    assertThat(result.skipped()).isEqualTo(5);
    assertThat(result.rows()).isEqualTo(ROWS - 5);
    List<Long> expected = new ArrayList<>(ids(0, ROWS));
    expected.removeAll(List.of(0L, 5L, 613L, 614L, 999L));
    assertThat(ids()).isEqualTo(expected);
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of(out, SkippedRow.FOLDER))) {
      for (Path file : files.sorted().toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines).hasSize(5);
    assertThat(lines.get(2)).contains("2.csv\",\"row\":113,\"reason\":\"no 613\"");
    assertThat(scorer(TENFOLD).check(out)).isEqualTo(new ScoreCheck(10, ROWS - 5, 5));
  }

  @Test
  void aModelThatFailsForAllRowsIsNotSkipped() {
    Model broken =
        _ -> {
          throw new IllegalStateException("broken");
        };
    assertThatThrownBy(() -> scorer(broken).onError(OnError.SKIP).writeTo(out))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("broken");
  }

  private static Model failsFor(long... bad) {
    return batch -> {
      for (long id : (long[]) batch.tensor("id").toArray()) {
        for (long each : bad) {
          if (id == each) {
            throw new IOException("no " + id);
          }
        }
      }
      return TENFOLD.run(batch);
    };
  }

  @Test
  void otherScoresAreRefused() throws Exception {
    scorer(TENFOLD).writeTo(out);
    assertThatThrownBy(() -> scorer(TENFOLD).columns("name").writeTo(out))
        .hasMessageContaining("their columns is");
    assertThatThrownBy(() -> scorer(TENFOLD).keys("name").writeTo(out))
        .hasMessageContaining("their keys is '[id]' but '[name]' now");
    table = table.where("id > 5");
    assertThatThrownBy(() -> scorer(TENFOLD).writeTo(out))
        .hasMessageContaining("they are of other rows. Cannot resume: the filter is");
  }

  @Test
  void changedFilesAreRefused() throws Exception {
    scorer(TENFOLD).writeTo(out);
    Files.writeString(temp.resolve("table/9.csv"), "id,x,name\n7,1,a\n");
    table = new StructuredDataset(temp.resolve("table").toString());
    assertThatThrownBy(() -> scorer(TENFOLD).writeTo(out))
        .hasMessageContaining("Cannot resume: the files are");
    assertThatThrownBy(() -> scorer(TENFOLD).check(out))
        .hasMessageContaining("its scores are of other rows");
  }

  @Test
  void twoRunsRefuseEachOther() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    Model meets =
        batch -> {
          if (refused.getAndIncrement() == 0) {
            for (Rank rank : List.of(Rank.SINGLE, new Rank(0, 2), new Rank(1, 2))) {
              assertThatThrownBy(() -> scorer(TENFOLD).rank(rank).writeTo(out))
                  .isInstanceOf(IOException.class)
                  .hasMessageContaining("another run is at work there");
            }
          }
          return TENFOLD.run(batch);
        };
    scorer(meets).writeTo(out);
    assertThat(ids()).isEqualTo(ids(0, ROWS));
  }

  @Test
  void aRunThatEndsEarlyLeavesWholePartsOnly() throws Exception {
    AtomicInteger batches = new AtomicInteger();
    Model ends =
        batch -> {
          if (batches.incrementAndGet() == 9) {
            throw new IOException("the power is off");
          }
          return TENFOLD.run(batch);
        };
    assertThatThrownBy(() -> scorer(ends).workers(1).writeTo(out)).hasMessageContaining("power");
    int there = parts().size();
    assertThat(there).isBetween(1, 9);
    Path draft = Files.writeString(Path.of(out, ".penstock-0.tmp"), "what a kill leaves");
    ScoreResult rest = scorer(TENFOLD).workers(3).writeTo(out);
    assertThat(rest.found()).isEqualTo(there);
    assertThat(draft).doesNotExist();
    assertThat(ids()).isEqualTo(ids(0, ROWS));
  }

  @Test
  void aCheckFindsWhatIsNotAsItWasWritten() throws Exception {
    scorer(TENFOLD).writeTo(out);
    Path part = Path.of(out, parts().stream().sorted().toList().get(3));
    byte[] content = Files.readAllBytes(part);
    byte[] changed = content.clone();
    changed[100] ^= 1;
    Files.write(part, changed);
    assertThatThrownBy(() -> scorer(TENFOLD).check(out))
        .isInstanceOf(ScoresDifferException.class)
        .hasMessageContaining("is not as it was written");
    Files.delete(part);
    assertThatThrownBy(() -> scorer(TENFOLD).check(out)).hasMessageContaining("there is no 'part-");
    Files.write(part, content);
    Files.copy(part, Path.of(out, "copy.parquet"));
    assertThatThrownBy(() -> scorer(TENFOLD).check(out))
        .hasMessageContaining("a file that is no part, 'copy.parquet'");
  }

  @Test
  void aCheckNeedsNoModel() throws Exception {
    Model reads =
        new Model() {
          @Override
          public Map<String, Object> run(Batch batch) {
            return Map.of("twice", batch.column("x"));
          }

          @Override
          public List<ModelInput> inputs() {
            return List.of(new ModelInput("x", DType.FLOAT32, List.of(-1L, 1L), List.of()));
          }
        };
    scorer(reads).columns("name").writeTo(out);
    Model none =
        _ -> {
          throw new AssertionError("nothing is to be scored");
        };
    assertThat(Scorer.of(table, none).check(out)).isEqualTo(new ScoreCheck(10, ROWS, 0));
  }

  @Test
  void batchesMayLieInMemoryOfOthers() throws Exception {
    Model model = failsFor(5, 613);
    scorer(model)
        .columns("name", "x")
        .onError(OnError.SKIP)
        .options(o -> o.batchSize(64).batchAllocator(BatchAllocator.ofProcess()))
        .writeTo(out);
    List<Map<String, Object>> scores = scores();
    assertThat(scores).hasSize(ROWS - 2);
    for (Map<String, Object> row : scores) {
      assertThat(row.get("name")).isEqualTo("n" + row.get("id"));
    }
  }

  @Test
  void damagedFilesAreErrors() throws Exception {
    scorer(TENFOLD).writeTo(out);
    Path part = Path.of(out, parts().stream().sorted().toList().get(3));
    byte[] content = Files.readAllBytes(part);
    byte[] changed = content.clone();
    for (int i = content.length - 60; i < content.length - 8; i++) {
      changed[i] = (byte) 0xff; // in the footer
    }
    Files.write(part, changed);
    assertThatThrownBy(() -> scorer(TENFOLD).check(out))
        .isInstanceOf(ScoresDifferException.class)
        .hasMessageContaining("is not as it was written");
    Files.delete(Path.of(out, Manifest.FILE));
    assertThatThrownBy(() -> scorer(TENFOLD).writeTo(out)).isInstanceOf(IOException.class);
    Files.write(part, content);
    for (String text : List.of("", "[]", "{}", "{\"format\":\"penstock score 9\"}")) {
      Files.writeString(Path.of(out, Job.FILE), text);
      assertThatThrownBy(() -> scorer(TENFOLD).writeTo(out))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Job.FILE);
    }
  }

  @Test
  void keysAreNeeded() {
    assertThatThrownBy(() -> Scorer.of(table, TENFOLD).writeTo(out))
        .hasMessageStartingWith("Cannot write scores without keys");
    assertThatThrownBy(() -> scorer(TENFOLD).keys("nope").writeTo(out))
        .hasMessageContaining("the table has none of that name, but id, x, name");
  }

  @Test
  void runTellsWhatItIsAboutToDo() throws Exception {
    List<ScorePlan> told = new ArrayList<>();
    Scorer scorer = scorer(TENFOLD).columns("name").planned(told::add);
    scorer.rank(new Rank(1, 3)).writeTo(out);
    scorer.writeTo(out);
    assertThat(told).hasSize(2);
    assertThat(told.getFirst()).isEqualTo(scorer.rank(new Rank(1, 3)).plan());
    assertThat(told.getFirst().missing()).isEqualTo(3);
    assertThat(told.getLast().missing()).isEqualTo(7);
    assertThat(told.getLast().parts()).isEqualTo(10);
    assertThat(told.getLast().rows()).isEqualTo(ROWS);
    assertThat(told.getLast().feeding()).isEmpty();
    assertThat(told.getLast().carried().names()).containsExactly("id", "name");
    assertThat(told.getLast().outputs()).containsExactly("score: float32 not null");
  }

  @Test
  void aFolderKnowsItsTable() throws Exception {
    scorer(TENFOLD).writeTo(out);
    assertThat(ScoreCheck.tableOf(out, Map.of())).containsExactly(temp.resolve("table").toString());
    assertThatThrownBy(() -> ScoreCheck.tableOf(temp.resolve("none").toString(), Map.of()))
        .isInstanceOf(ScoresDifferException.class)
        .hasMessageContaining("there is no '_score.json'");
  }

  @Test
  void progressEndsAtAllRows() throws Exception {
    List<ScoreProgress> told = java.util.Collections.synchronizedList(new ArrayList<>());
    scorer(TENFOLD).progress(told::add).workers(1).writeTo(out);
    assertThat(told.getLast()).isEqualTo(new ScoreProgress(ROWS, ROWS, 10, 10));
  }
}
