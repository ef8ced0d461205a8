package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.demo.SampleFlights;
import org.junit.jupiter.api.Test;

class TrainWithXgboostTest {
  /// In short: on one file of each. The logistic regression of make_late.py has an AUC of 0.6411 by
  /// numpy on these features; always to answer with the base rate has a loss of 0.5010.
  @Test
  void treesAreBetterThanTheBaseRate() throws Exception {
    try (SampleFlights flights = SampleFlights.extract()) {
      TrainWithXgboost.Report report =
          TrainWithXgboost.train(
              flights.trainingFolder().resolve("part-0.parquet"),
              flights.heldOutFolder().resolve("part-6.parquet"),
              5);
      assertThat(report.logLoss()).isLessThan(0.495);
      assertThat(report.auc()).isBetween(0.62, 0.70);
      assertThat(report.accuracy()).isGreaterThan(0.795);
    }
  }
}
