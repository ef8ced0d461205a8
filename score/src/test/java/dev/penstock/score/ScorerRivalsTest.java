package dev.penstock.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.model.Model;
import dev.penstock.split.Rank;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that write to one folder of a store at once. A store has no locks: all that a run notices
/// of another is a file that it cannot create.
final class ScorerRivalsTest {
  private static final int ROWS = 1000;
  private static final String REFUSED = "another run has made 'part-";

  @TempDir Path temporary;
  private final MemoryStorage.Site site = MemoryStorage.site();
  private final String out = site.location() + "/scores";

  @BeforeEach
  void writeTable() throws IOException {
    StringBuilder lines = new StringBuilder("id,name\n");
    for (int id = 0; id < ROWS; id++) {
      lines.append(id).append(",n").append(id).append('\n');
    }
    Files.writeString(temporary.resolve("table.csv"), lines);
  }

  @AfterEach
  void removeSite() {
    site.remove();
  }

  private Scorer scorer(Model model) {
    return ScoringProcess.scorer(temporary.resolve("table.csv"), model)
        .partRows(50)
        .rank(Rank.SINGLE);
  }

  private void requireEachRowOnce() throws IOException {
    List<Long> ids = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(new StructuredDataset(out), o -> o.rank(Rank.SINGLE))) {
      for (Batch batch : loader) {
        try (batch) {
          long[] keys = (long[]) batch.tensor("id").toArray();
          float[] scores = (float[]) batch.tensor("score").toArray();
          for (int row = 0; row < keys.length; row++) {
            assertThat(scores[row]).isEqualTo(keys[row] * 10 + 1f);
            ids.add(keys[row]);
          }
        }
      }
    }
    assertThat(ids).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    assertThat(scorer(ScoringProcess.tenfold()).check(out))
        .isEqualTo(new ScoreCheck(ROWS / 50, ROWS, 0));
  }

  @Test
  void aRunEndsWhereAnotherHasMadeItsPart() throws Exception {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Model tenfold = ScoringProcess.tenfold();
    Model overtaken =
        batch -> {
          if (batch.tensor("id").memory().get(ValueLayout.JAVA_LONG, 0) == 500
              && isFirst.getAndSet(false)) {
            scorer(tenfold).writeTo(out);
          }
          return tenfold.run(batch);
        };
    assertThatThrownBy(() -> scorer(overtaken).workers(1).writeTo(out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(REFUSED + "000500-000550-");
    requireEachRowOnce();
  }

  @Seeded(runs = 100)
  void runsAtOnceLeaveNoRowOutAndNoneTwice(Random random) throws Exception {
    int runs = 2 + random.nextInt(2);
    CountDownLatch begun = new CountDownLatch(runs);
    try (ExecutorService threads = Executors.newFixedThreadPool(runs)) {
      List<Future<ScoreResult>> results = new ArrayList<>();
      for (int run = 0; run < runs; run++) {
        Scorer scorer = scorer(ScoringProcess.tenfold()).workers(1 + random.nextInt(3));
        Callable<ScoreResult> writing =
            () -> {
              begun.countDown();
              begun.await();
              return scorer.writeTo(out);
            };
        results.add(threads.submit(writing));
      }
      for (Future<ScoreResult> result : results) {
        try {
          assertThat(result.get().isComplete()).isTrue();
        } catch (ExecutionException e) {
          assertThat(e).hasMessageContaining(REFUSED);
        }
      }
    }
    assertThat(scorer(ScoringProcess.tenfold()).writeTo(out).isComplete()).isTrue();
    requireEachRowOnce();
  }
}
