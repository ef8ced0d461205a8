package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswersTest {
  private static final int ROWS = 100;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    StringBuilder lines = new StringBuilder("id\n");
    for (int row = 0; row < ROWS; row++) {
      lines.append(row).append('\n');
    }
    Files.writeString(folder.resolve("rows.csv"), lines);
  }

  private DataLoader loader() {
    return DataLoader.of(
        new StructuredDataset(folder.toString()), o -> o.batchSize(30).rank(Rank.SINGLE));
  }

  private static JsonFields ask(DataLoader loader, String question) throws IOException {
    return JsonTree.read("an answer", Answers.to(loader, question));
  }

  private static String stats(long epoch, long rows, long nanos, long waitNanos) {
    return """
    {"what": "stats",
     "received": {"epoch": %d, "rows": %d, "batches": 10, "nanos": %d, "waitNanos": %d}}
    """
        .formatted(epoch, rows, nanos, waitNanos);
  }

  @Test
  void statisticsAreThoseOfTheClientWhoIsTheConsumer() throws IOException {
    try (DataLoader loader = loader()) {
      for (Batch batch : loader) {
        batch.close();
      }
      JsonFields slow = ask(loader, stats(0, 30, 2_000_000_000L, 50_000_000)).nested("stats");
      assertThat(slow.whole("rows", 0, ROWS)).isEqualTo(30);
      assertThat(slow.number("seconds")).isEqualTo(2);
      assertThat(slow.number("rowsPerSecond")).isEqualTo(15);
      assertThat(slow.number("waitSeconds")).isEqualTo(0.05);
      assertThat(slow.whole("bytesRead", 1, Long.MAX_VALUE))
          .isEqualTo(loader.stats().read().bytes());
      assertThat(slow.nested("bottleneck").text("message"))
          .startsWith("The consumer is the bottleneck: it waited 3 % of the time");
      JsonFields fast = ask(loader, stats(0, 30, 1_000_000_000, 900_000_000)).nested("stats");
      assertThat(fast.nested("bottleneck").text("message")).contains("the consumer", " 90 %");
    }
  }

  @Test
  void epochThatTheServerHasNotBegunIsEmpty() throws IOException {
    try (DataLoader loader = loader()) {
      for (Batch batch : loader) {
        batch.close();
      }
      JsonFields stats = ask(loader, stats(1, 0, 5, 0)).nested("stats");
      assertThat(stats.integer("epoch")).isEqualTo(1);
      assertThat(stats.integer("rows")).isZero();
      assertThat(stats.integer("bytesRead")).isZero();
    }
  }

  @Test
  void reportIsAPageAndNoFile() throws IOException {
    try (DataLoader loader = loader()) {
      assertThat(ask(loader, "{\"what\": \"report\"}").text("report"))
          .startsWith("<!DOCTYPE html>");
      try (var files = Files.list(folder)) {
        assertThat(files).hasSize(1);
      }
    }
  }

  @Test
  void rowsAreKnownUnlessAFilterTestsThem() throws IOException {
    try (DataLoader loader = loader()) {
      assertThat(Answers.to(loader, "{\"what\": \"rows\"}")).isEqualTo("{\"rows\":100}");
    }
    StructuredDataset few = new StructuredDataset(folder.toString()).where("id > 70");
    try (DataLoader loader = DataLoader.of(few, o -> o.rank(Rank.SINGLE))) {
      assertThat(Answers.to(loader, "{\"what\": \"rows\"}")).isEqualTo("{\"rows\":null}");
    }
  }

  @Test
  void questionsAreChecked() {
    try (DataLoader loader = loader()) {
      for (String wrong :
          Set.of(
              "{\"what\": \"nothing\"}",
              "{\"what\": \"plan\"}",
              "{\"what\": \"plan\", \"epoch\": -1}",
              "{\"what\": \"stats\"}",
              "{\"what\": \"length\", \"epoch\": 1}")) {
        assertThatThrownBy(() -> Answers.to(loader, wrong))
            .as(wrong)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("Cannot ");
      }
    }
  }
}
