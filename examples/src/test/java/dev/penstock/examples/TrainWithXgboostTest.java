package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.cli.demo.SampleFlights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainWithXgboostTest {
  /// In short: on one file of each. The logistic regression of make_late.py has an AUC of 0.6411 by
  /// numpy on these features; always to answer with the base rate has a loss of 0.5010.
  @Test
  void treesAreBetterThanTheBaseRateAndScoreTheSameWhenLoaded(@TempDir Path folder)
      throws Exception {
    try (SampleFlights flights = SampleFlights.extract()) {
      Path heldOut = flights.heldOutFolder().resolve("part-6.parquet");
      Path model = folder.resolve("late.ubj");
      TrainWithXgboost.Report report =
          TrainWithXgboost.train(
              flights.trainingFolder().resolve("part-0.parquet"), heldOut, 5, model);
      assertThat(report.logLoss()).isLessThan(0.495);
      assertThat(report.auc()).isBetween(0.62, 0.70);
      assertThat(report.accuracy()).isGreaterThan(0.795);

      Path output = folder.resolve("predictions.csv");
      assertThat(TrainWithXgboost.score(model, heldOut, output)).isEqualTo(37_500);
      List<String> lines = Files.readAllLines(output);
      assertThat(lines).hasSize(37_501);
      assertThat(
              lines.stream()
                  .skip(1)
                  .mapToDouble(
                      line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                  .average()
                  .orElseThrow())
          .isCloseTo(report.mean(), within(0.0001));
    }
  }
}
