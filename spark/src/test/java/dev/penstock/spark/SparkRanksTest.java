package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ranks as threads of one JVM.
@Timeout(120) // a rank that is not stopped keeps Spark waiting for ever
class SparkRanksTest {
  @TempDir static Path data;
  private static SparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    Training.writeRows(data);
    spark =
        new SparkContext(
            new SparkConf()
                .setAppName("ranks")
                .setMaster("local[2]")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.stage.maxConsecutiveAttempts", "2"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void ranksTogetherReadEveryRowOnceInEqualSteps(@TempDir Path checkpoints) {
    String folder = data.toString();

    List<Training> ranks =
        SparkRanks.run(
            spark,
            2,
            rank -> Training.open(folder, rank),
            checkpoints.toString(),
            (rank, loader) -> Training.epoch(rank, loader));

    assertThat(Training.all(ranks)).isEqualTo(Training.everyRow());
    assertThat(ranks).extracting(Training::steps).containsExactly(8L, 8L);
    for (int rank = 0; rank < 2; rank++) {
      assertThat(ranks.get(rank).seen())
          .isEqualTo(Training.uninterrupted(folder, new Rank(rank, 2)));
    }
  }

  @Test
  void ranksThatFailGoOnFromTheLastCheckpointOfAll(@TempDir Path checkpoints) {
    String folder = data.toString();

    List<Training> ranks =
        SparkRanks.run(
            spark,
            2,
            rank -> Training.open(folder, rank),
            checkpoints.toString(),
            (rank, loader) -> {
              Training training =
                  Training.epoch(
                      rank,
                      loader,
                      () -> {
                        throw new IllegalStateException("power cut");
                      });
              // Rank 0 would go on for ever: Spark has to stop it.
              return BarrierTaskContext.get().stageAttemptNumber() == 0
                  ? training.withoutEnd(loader)
                  : training;
            });

    assertThat(ranks).extracting(Training::first).containsExactly(3L, 3L);
    assertThat(Training.all(ranks)).isEqualTo(Training.everyRow());
    for (int rank = 0; rank < 2; rank++) {
      assertThat(ranks.get(rank).seen())
          .isEqualTo(Training.uninterrupted(folder, new Rank(rank, 2)));
    }
  }

  @Test
  void laterRunWithOtherRanksReadsTheRest(@TempDir Path checkpoints) {
    String folder = data.toString();
    List<List<Long>> before =
        SparkRanks.run(
            spark,
            2,
            rank -> Training.open(folder, rank),
            checkpoints.toString(),
            (rank, loader) -> {
              List<Long> seen = new ArrayList<>();
              try (var batches = loader.iterator()) {
                for (int step = 0; step < 5; step++) {
                  try (Batch batch = batches.next()) {
                    seen.addAll(Training.rows(batch));
                  }
                }
                rank.save(Training.bytes(seen));
              }
              return seen;
            });

    List<Training> after =
        SparkRanks.run(
            spark,
            1,
            rank -> Training.open(folder, rank),
            checkpoints.toString(),
            (rank, loader) -> Training.epoch(rank, loader));

    assertThat(after.getFirst().first()).isEqualTo(5);
    List<Long> all = new ArrayList<>(after.getFirst().seen()); // with those of rank 0 before
    assertThat(all.subList(0, before.get(0).size())).isEqualTo(before.get(0));
    all.addAll(before.get(1));
    assertThat(all.stream().sorted()).isEqualTo(Training.everyRow());
  }

  @Test
  void snippetOfTheGuideTrainsOnEveryRowInEveryEpoch(@TempDir Path checkpoints) {
    List<Double> sums = SparkSnippets.train(spark, data.toString(), checkpoints.toString());

    assertThat(sums).hasSize(2);
    assertThat(sums.get(0) + sums.get(1)).isEqualTo(3 * 500_500);

    // Again: it goes on from the last checkpoint, at the end.
    assertThat(SparkSnippets.train(spark, data.toString(), checkpoints.toString())).isEqualTo(sums);
  }

  @Test
  void ranksWithoutCheckpointsBeginAtTheStart() {
    String folder = data.toString();

    List<Boolean> saved =
        SparkRanks.run(
            spark, 1, rank -> Training.open(folder, rank), (rank, _) -> rank.saved().isPresent());

    assertThat(saved).containsExactly(false);
  }

  @Test
  void loaderWithoutItsRankIsRefused() {
    String folder = data.toString();

    assertThatThrownBy(() ->
            SparkRanks.run(
                spark, 2, _ -> DataLoader.of(new StructuredDataset(folder)), (_, _) -> null))
        .hasMessageContaining(
            "its loader has no rank. Make it with the rank, or the options, that the function"
                + " is called with.");
  }

  @Test
  void ranksThatListOtherFilesAreRefused(@TempDir Path other) throws IOException {
    String folder = data.toString();
    Files.copy(data.resolve("1.csv"), other.resolve("1.csv"));
    String fewer = other.toString();

    assertThatThrownBy(() ->
            SparkRanks.run(
                spark,
                2,
                rank -> Training.open(rank.index() == 0 ? folder : fewer, rank),
                (_, _) -> null))
        .hasMessageContaining("Cannot train as 2 ranks: rank 1 reads ")
        .hasMessageContaining("1 files, 17 rows")
        .hasMessageContaining("3 files, 1001 rows");
  }

  @Test
  void noRanksAreRefused() {
    assertThatThrownBy(
            () -> SparkRanks.run(spark, 0, rank -> Training.open("", rank), (_, _) -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The number of ranks must be 1 or more, got 0.");
  }
}
