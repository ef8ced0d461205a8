package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.cli.demo.SampleFlights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoreWithOnnxTest {
  /// In short: one file. The numbers are those that make_late.py printed, computed by numpy 2.4.6.
  @Test
  void everyFlightHasTheProbabilityThatNumpyGivesIt(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("predictions.csv");
    try (SampleFlights flights = SampleFlights.extract()) {
      assertThat(ScoreWithOnnx.score(flights.heldOutFolder().resolve("part-6.parquet"), output))
          .isEqualTo(37_500);
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(lines).hasSize(37_501);
    assertThat(lines.getFirst()).isEqualTo("origin,destination,late");
    assertThat(lines.subList(1, 4))
        .extracting(line -> line.substring(line.lastIndexOf(',') + 1))
        .containsExactly("0.4064", "0.0383", "0.0687");
    double mean =
        lines.stream()
            .skip(1)
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
            .average()
            .orElseThrow();
    assertThat(mean).isCloseTo(0.19995, within(0.0001));
  }
}
