package dev.penstock.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochHistoryTest {
  private final EpochHistory history = new EpochHistory();
  private long epoch;
  private long rows;
  private long decoded;

  private LoaderStats stats() {
    StageTimes times = new StageTimes(Map.of(Stage.DECODE, decoded));
    List<WorkerStats> workers = List.of(new WorkerStats(0, false, times));
    return new LoaderStats(
        epoch,
        rows,
        1,
        List.of(),
        PaddingStats.NONE,
        0,
        List.of(),
        ReadStats.NONE,
        new MemoryStats(0, 0, 0),
        new EpochTimes(5, times, WaitStats.NONE, workers),
        BatchQueue.NONE);
  }

  private static Timeline timeline() {
    StatsSample sample = new StatsSample(1, 2, 3, 4, 5, BatchQueue.NONE);
    return new Timeline(List.of(), List.of(), List.of(sample));
  }

  private void begin() {
    history.begin(this::stats, EpochHistoryTest::timeline, Optional::empty);
  }

  @Test
  void beforeTheFirstEpochThereIsNothing() {
    assertThat(history.totals()).isEqualTo(LoaderTotals.NONE);
    assertThat(history.epochs()).isEmpty();
  }

  @Test
  void eachEpochCountsOnce() {
    begin();
    rows = 10;
    assertThat(history.totals().rows()).isEqualTo(10);
    rows = 20;
    assertThat(history.totals().rows()).isEqualTo(20);
    begin();
    assertThat(history.totals().epochs()).isEqualTo(2);
    assertThat(history.totals().rows()).isEqualTo(40);
    assertThat(history.totals().nanos()).isEqualTo(10);
  }

  @Test
  void theSumsHaveEpochsThatTheListHasNoMore() {
    int epochs = 2 * EpochHistory.EPOCHS_MAX + 17;
    for (int i = 0; i < epochs; i++) {
      begin();
      epoch = i;
      rows = i + 1L;
      if (i % 37 == 0) { // what was asked meanwhile makes no difference
        assertThat(history.totals().rows()).isEqualTo((i + 1L) * (i + 2) / 2);
      }
    }
    assertThat(history.totals().epochs()).isEqualTo(epochs);
    assertThat(history.totals().rows()).isEqualTo(epochs * (epochs + 1L) / 2);
    List<EpochRecord> last = history.epochs();
    assertThat(last).hasSize(EpochHistory.EPOCHS_MAX + 1);
    assertThat(last.getFirst().stats().epoch()).isEqualTo(epochs - 1L - EpochHistory.EPOCHS_MAX);
    assertThat(last.getLast().stats().epoch()).isEqualTo(epochs - 1L);
    assertThat(last.stream().filter(each -> !each.timeline().isEmpty()))
        .containsExactlyElementsOf(
            last.subList(last.size() - 1 - EpochHistory.TIMELINES_MAX, last.size()));
  }

  @Test
  void timesDoNotGoBackWhereALookMissesSome() {
    begin();
    decoded = 100;
    assertThat(history.totals().ofWorkers().nanos(Stage.DECODE)).isEqualTo(100);
    decoded = 90;
    assertThat(history.totals().ofWorkers().nanos(Stage.DECODE)).isEqualTo(100);
    assertThat(history.totals().waitedFor().nanos(Stage.DECODE)).isEqualTo(100);
    decoded = 110;
    assertThat(history.totals().ofWorkers().nanos(Stage.DECODE)).isEqualTo(110);
  }
}
