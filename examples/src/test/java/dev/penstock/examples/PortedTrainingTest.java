package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PortedTrainingTest {
  private static final Path FLIGHTS =
      Path.of("..", "cli/src/main/resources/dev/penstock/cli/demo/flights");

  /// The numbers are those of `examples/port/train.py`, run with torch 2.15.0.
  @Test
  void portLearnsWhatTheScriptLearns() {
    PortedTraining.Report report = PortedTraining.train(FLIGHTS.toString());
    assertThat(report.rows()).isEqualTo(75_000);
    assertThat(report.loss()).isCloseTo(0.4876, within(0.002));
    assertThat(report.auc()).isCloseTo(0.6200, within(0.002));
  }
}
