package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchResultsTest {
  private static BenchResults results(double[]... speeds) {
    BenchResults results = new BenchResults();
    for (int round = 0; round < speeds[0].length; round++) {
      for (int workers = 0; workers < speeds.length; workers++) {
        results.add(workers, speeds[workers][round], 0.5);
      }
    }
    return results;
  }

  @Test
  void theFewestOfTheBestIsRecommendedWithTheNoise() {
    BenchResults results =
        results(
            new double[] {1000, 1010, 990},
            new double[] {2900, 2910, 2890},
            new double[] {3000, 3010, 2990});
    assertThat(results.text())
        .isEqualTo(
            """
            workers  rows/s    noise   waited
            -------  ------  -------  -------  --------------
                  0     1 k  ± 1.0 %  0.500 s
                  1     3 k  ± 0.3 %  0.500 s  <- recommended
                  2     3 k  ± 0.3 %  0.500 s

            Use --workers 1: the fewest within 5 % of the best, by the median of 3 epochs each.
            """);
    assertThat(results.recommended()).isEqualTo(1);
  }

  @Test
  void nobodyWinsWithinTheNoise() {
    BenchResults results =
        results(
            new double[] {1000, 1010, 990},
            new double[] {2000, 3100, 2500},
            new double[] {3000, 4000, 2400});
    assertThat(results.text())
        .isEqualTo(
            """
            workers  rows/s    noise   waited
            -------  ------  -------  -------  -------------------
                  0     1 k  ± 1.0 %  0.500 s
                  1     3 k   ± 22 %  0.500 s  <- within the noise
                  2     3 k   ± 27 %  0.500 s  <- within the noise

            No winner: with 1 and 2 workers the rounds overlap, within ± 27 %. Use the fewest, --workers 1, or tell them apart with more --rounds than 3.
            """);
    assertThat(results.recommended()).isEqualTo(2); // of --json, by the medians alone
  }

  @Test
  void oneRoundDoesNotTellHowNoisyItIs() {
    assertThat(results(new double[] {1000}, new double[] {3000}).text())
        .contains("      ?  ")
        .endsWith(
            "by the median of 1 epoch each. How noisy that is takes more --rounds to tell.\n");
  }
}
