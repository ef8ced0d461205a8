package dev.penstock.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Timeline;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RunTest {
  private static final EpochRecord EPOCH =
      new EpochRecord(
          new LoaderStats(
              7,
              0,
              0,
              List.of(),
              PaddingStats.NONE,
              0,
              List.of(),
              ReadStats.NONE,
              new MemoryStats(0, 0, 0),
              EpochTimes.NONE,
              BatchQueue.NONE),
          Timeline.NONE,
          Optional.empty());

  private static Run busy(double share) {
    return new Run(
        "2 workers", List.of(), false, EPOCH, Optional.empty(), OptionalDouble.of(share));
  }

  private static String json(Run run) {
    return ReportJson.of(Report.of(Report.Kind.BENCH, "bench").runs(List.of(run)));
  }

  @Test
  void epochsAreNamedByTheirNumber() {
    assertThat(Run.of(EPOCH)).isEqualTo(Run.of("epoch 7", EPOCH));
  }

  @Test
  void utilisationIsInTheReportWhereItWasMeasured() {
    assertThat(json(busy(0.75))).contains("\"utilisation\":0.75,");
    assertThat(json(busy(0.75).order(Optional.empty()))).contains("\"utilisation\":0.75,");
    assertThat(json(Run.of(EPOCH))).doesNotContain("utilisation");
  }

  @Test
  void utilisationIsAShare() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> busy(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Utilisation must be in [0, 1], got " + wrong + ".");
    }
  }
}
