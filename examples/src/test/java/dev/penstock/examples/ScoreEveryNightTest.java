package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.Main;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.score.ScoreResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoreEveryNightTest {
  @Test
  void javaAndTheCommandWriteTheSameScores(@TempDir Path folder) throws Exception {
    try (SampleFlights flights = SampleFlights.extract()) {
      String table = flights.trainingFolder().resolve("part-0.parquet").toString();
      Path model = folder.resolve("delay.ubj");
      ScoreEveryNight.train(table, model);
      String out = folder.resolve("scores").toString();
      ScoreResult result = ScoreEveryNight.score(table, model, out);
      assertThat(result.rows()).isEqualTo(37_500);
      assertThat(result.isComplete()).isTrue();
      assertThat(new StructuredDataset(out).schema().names())
          .containsExactly("date", "origin", "destination", "prediction");
      String keys = "date,origin,destination";
      assertThat(run("score", model.toString(), table, "--keys", keys, "--out", out))
          .contains("0 parts made", result.parts() + " found", "complete");
      assertThat(run("score", "--check", out)).startsWith("37,500 rows in ");
    }
  }

  @Test
  void anyFunctionIsAModel(@TempDir Path folder) throws Exception {
    try (SampleFlights flights = SampleFlights.extract()) {
      String table = flights.trainingFolder().resolve("part-0.parquet").toString();
      String out = folder.resolve("scores").toString();
      assertThat(ScoreEveryNight.rule(table, out).rows()).isEqualTo(37_500);
      assertThat(new StructuredDataset(out).schema().names()).containsExactly("date", "miles");
    }
  }

  private static String run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = Main.run(args, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }
}
