package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Reading;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BenchResultsTest {
  private static Reading reading(int workers) {
    return LoaderOptions.defaults().workers(workers).reading();
  }

  /// Returns times of an epoch of a second with 4 workers.
  private static EpochRecord times(double waited, int parked) {
    List<WorkerStats> workers =
        IntStream.range(0, 4)
            .mapToObj(i -> new WorkerStats(i, i >= 4 - parked, StageTimes.NONE))
            .toList();
    EpochTimes times =
        new EpochTimes(
            1_000_000_000,
            new StageTimes(Map.of(Stage.DECODE, (long) (waited * 1e9))),
            WaitStats.NONE,
            workers);
    LoaderStats stats =
        new LoaderStats(
            0,
            0,
            0,
            List.of(),
            PaddingStats.NONE,
            0,
            List.of(),
            ReadStats.NONE,
            new MemoryStats(0, 0, 0),
            times,
            BatchQueue.NONE);
    return new EpochRecord(stats, Timeline.NONE);
  }

  private static BenchResults results(double[]... speeds) {
    BenchResults results = new BenchResults();
    for (int round = 0; round < speeds[0].length; round++) {
      for (int workers = 0; workers < speeds.length; workers++) {
        results.add(reading(workers), speeds[workers][round], times(0.5, 0));
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
      results.add(new Reading(4, true, 2, Duration.ZERO), 2_000, times(0.25, 1));
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
    results.add(new Reading(4, true, 2, Duration.ZERO), 1_000, times(0.25, 3));
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
