package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EpochTotalsTest {
  private final EpochTotals totals = new EpochTotals();
  private long rows;
  private long decoded;

  private LoaderTotals epoch() {
    StageTimes times = new StageTimes(Map.of(Stage.DECODE, decoded));
    List<WorkerStats> workers = List.of(new WorkerStats(0, false, times));
    return LoaderTotals.of(
        rows, 1, ReadStats.NONE, new EpochTimes(5, times, WaitStats.NONE, workers));
  }

  @Test
  void beforeTheFirstEpochThereIsNothing() {
    assertThat(totals.now()).isEqualTo(LoaderTotals.NONE);
  }

  @Test
  void eachEpochCountsOnce() {
    totals.begin(this::epoch);
    rows = 10;
    assertThat(totals.now().rows()).isEqualTo(10);
    rows = 20;
    assertThat(totals.now().rows()).isEqualTo(20);
    totals.begin(this::epoch);
    assertThat(totals.now().epochs()).isEqualTo(2);
    assertThat(totals.now().rows()).isEqualTo(40);
    assertThat(totals.now().nanos()).isEqualTo(10);
  }

  @Test
  void timesDoNotGoBackWhereALookMissesSome() {
    totals.begin(this::epoch);
    decoded = 100;
    assertThat(totals.now().ofWorkers().nanos(Stage.DECODE)).isEqualTo(100);
    decoded = 90;
    assertThat(totals.now().ofWorkers().nanos(Stage.DECODE)).isEqualTo(100);
    assertThat(totals.now().waitedFor().nanos(Stage.DECODE)).isEqualTo(100);
    decoded = 110;
    assertThat(totals.now().ofWorkers().nanos(Stage.DECODE)).isEqualTo(110);
  }
}
