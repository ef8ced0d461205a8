package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Ranks as processes: a master, and two workers with an executor each.
@Timeout(180) // a cluster whose executors do not start keeps Spark waiting for ever
@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "a cluster takes half a minute: profile stores runs it")
class LocalClusterTest {
  @TempDir Path data;
  @TempDir Path checkpoints;

  private static SparkContext cluster() throws IOException {
    // Executors are started from SPARK_HOME, with what lies in "jars" and what they are told.
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    return new SparkContext(
        new SparkConf()
            .setAppName("ranks")
            .setMaster("local-cluster[2,1,1024]")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
            .set("spark.stage.maxConsecutiveAttempts", "2"));
  }

  @Test
  void ranksGoOnWhenAnExecutorIsKilled() throws IOException {
    Training.writeRows(data);
    String folder = data.toString();
    SparkContext spark = cluster();
    try {
      List<Training> ranks =
          SparkRanks.run(
              spark,
              2,
              rank -> Training.open(folder, rank),
              checkpoints.toString(),
              (rank, loader) -> Training.epoch(rank, loader, () -> Runtime.getRuntime().halt(137)));

      assertThat(ranks).extracting(Training::process).doesNotHaveDuplicates();
      assertThat(ranks).extracting(Training::first).containsExactly(3L, 3L);
      assertThat(ranks).extracting(Training::steps).containsExactly(8L, 8L);
      assertThat(Training.all(ranks)).isEqualTo(Training.everyRow());
      for (int rank = 0; rank < 2; rank++) {
        assertThat(ranks.get(rank).seen())
            .isEqualTo(Training.uninterrupted(folder, new Rank(rank, 2)));
      }
    } finally {
      spark.stop();
    }
  }
}
