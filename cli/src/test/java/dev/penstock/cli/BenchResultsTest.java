package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Reading;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BenchResultsTest {
  private static Reading reading(int workers) {
    return LoaderOptions.defaults().workers(workers).reading();
  }

  private static BenchResults results(double[]... speeds) {
    BenchResults results = new BenchResults();
    for (int round = 0; round < speeds[0].length; round++) {
      for (int workers = 0; workers < speeds.length; workers++) {
        results.add(reading(workers), speeds[workers][round], MadeUpEpoch.of(0.5, 0));
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
    assertThat(results.text(Integer.MAX_VALUE))
        .isEqualTo(
            """
            workers  rows/s    noise   waited
            -------  ------  -------  -------  --------------
                  0     1 k  ± 1.0 %  0.500 s
                  1     3 k  ± 0.3 %  0.500 s  <- recommended
                  2     3 k  ± 0.3 %  0.500 s

            Use --workers 1: the fewest within 5 % of the best, by the median of 3 epochs each.
            """);
    assertThat(results.recommended().workers()).isEqualTo(1);
  }

  @Test
  void nobodyWinsWithinTheNoise() {
    BenchResults results =
        results(
            new double[] {1000, 1010, 990},
            new double[] {2000, 3100, 2500},
            new double[] {3000, 4000, 2400});
    assertThat(results.text(Integer.MAX_VALUE))
        .isEqualTo(
            """
            workers  rows/s    noise   waited
            -------  ------  -------  -------  -------------------
                  0     1 k  ± 1.0 %  0.500 s
                  1     3 k   ± 22 %  0.500 s  <- within the noise
                  2     3 k   ± 27 %  0.500 s  <- within the noise

            No winner: with 1 and 2 workers the rounds overlap, within ± 27 %. Use the fewest, --workers 1, or tell them apart with more --rounds than 3.
            """);
    assertThat(results.recommended().workers()).isEqualTo(2); // of --json, by the medians alone
  }

  @Test
  void saysWhatTheLoaderChoseAndWhy() {
    BenchResults results = results(new double[] {1000, 1010, 990}, new double[] {2900, 2910, 2890});
    for (int round = 0; round < 3; round++) {
      results.add(new Reading(4, true, 2, Duration.ZERO), 2_000, MadeUpEpoch.of(0.25, 1));
    }
    assertThat(results.text(Integer.MAX_VALUE))
        .contains("\n   auto     2 k    ± 0 %  0.250 s\n")
        .endsWith(
            "auto let 3 of 4 workers decode, because the consumer waited 25 % of the time, and"
                + " reached 69 % of the best speed.\n");
    assertThat(results.settings().getLast().workers()).isEqualTo(3);
  }

  @Test
  void chosenNumberIsNotRecommendedBeforeAnEqualFixedOne() {
    BenchResults results = results(new double[] {1}, new double[] {1000});
    results.add(new Reading(4, true, 2, Duration.ZERO), 1_000, MadeUpEpoch.of(0.25, 3));
    assertThat(results.recommended().isAuto()).isFalse();
  }

  @Test
  void oneRoundDoesNotTellHowNoisyItIs() {
    assertThat(results(new double[] {1000}, new double[] {3000}).text(Integer.MAX_VALUE))
        .contains("      ?  ")
        .endsWith(
            "by the median of 1 epoch each. How noisy that is takes more --rounds to tell.\n");
  }
}
