package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.SkippedRows;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {
  private static final long SECOND = 1_000_000_000L;

  private static Step rows(long before, long done, long total, long seconds) {
    return new Step(
        "epoch 3 of 20",
        "row",
        before,
        done,
        total,
        seconds * SECOND,
        List.of("2.14 M rows/s", "waiting 12 %"));
  }

  @Test
  void barHasTheShareTheTimeAndTheRest() {
    assertThat(rows(0, 750_000, 3_000_000, 75).bar(119, 0))
        .isEqualTo(
            "epoch 3 of 20   25 % [=====>                 ]  1:15, 3:45 left, 2.14 M rows/s, waiting"
                + " 12 %, 750,000 of 3,000,000 rows");
    assertThat(rows(0, 3_000_000, 3_000_000, 4000).bar(119, 0))
        .contains(" 100 % [====", "====]  1:06:40, 0:00 left, ");
  }

  @Test
  void theLeastImportantIsLeftOutOfANarrowBar() {
    assertThat(rows(0, 750_000, 3_000_000, 75).bar(79, 0))
        .isEqualTo(
            "epoch 3 of 20   25 % [==>       ]  1:15, 3:45 left, 2.14 M rows/s, waiting 12 %");
    assertThat(rows(0, 750_000, 3_000_000, 75).bar(70, 0))
        .isEqualTo("epoch 3 of 20   25 % [===>           ]  1:15, 3:45 left, 2.14 M rows/s");
    for (int columns = 5; columns < 200; columns++) {
      assertThat(rows(0, 750_000, 3_000_000, 75).bar(columns, 0)).hasSizeLessThanOrEqualTo(columns);
    }
    assertThat(rows(0, 750_000, 3_000_000, 75).bar(30, 0)).isEqualTo("epoch 3 of 20   25 %  1:15");
  }

  @Test
  void theRestIsOfWhatThisRunHasDone() {
    assertThat(rows(1_000_000, 1_500_000, 3_000_000, 60).line(0))
        .isEqualTo(
            "epoch 3 of 20: 50 %, 1,500,000 of 3,000,000 rows, 2.14 M rows/s, waiting 12 %, 1:00,"
                + " 3:00 left");
    assertThat(rows(1_000_000, 1_000_000, 3_000_000, 60).line(0)).endsWith("waiting 12 %, 1:00");
  }

  @Test
  void whatHasNoKnownEndHasNoBar() {
    assertThat(rows(0, 750_000, -1, 75).bar(119, 0))
        .isEqualTo("epoch 3 of 20  1:15, 2.14 M rows/s, waiting 12 %, 750,000 rows");
    assertThat(rows(0, 750_000, -1, 75).line(0))
        .isEqualTo("epoch 3 of 20: 750,000 rows, 2.14 M rows/s, waiting 12 %, 1:15");
  }

  private static LoaderStats stats(long rows, List<Long> rowsOfSources, SkippedRows skipped) {
    return new LoaderStats(
        0,
        rows,
        1,
        rowsOfSources,
        PaddingStats.NONE,
        0,
        List.of(),
        new ReadStats(Collections.emptySortedMap(), 0, skipped),
        new MemoryStats(0, 0, 0),
        EpochTimes.NONE,
        BatchQueue.NONE);
  }

  @Test
  void rowsThatAFilterDropsAreDoneUnlessTheRowsThatComeAreKnown() {
    SkippedRows skipped = new SkippedRows(0, 300, 20, 10, 70);
    Step filtered = Step.of("epoch", stats(100, List.of(), skipped), 0, 1_000, SECOND);
    assertThat(filtered.line(0)).contains("28 %, 200 of 700 rows");
    Step mixed = Step.of("epoch", stats(100, List.of(75L, 25L), skipped), 0, 500, SECOND);
    assertThat(mixed.line(0)).contains("20 %, 100 of 500 rows");
  }

  @Test
  void nothingToDoIsDone() {
    assertThat(rows(0, 0, 0, 1).bar(79, 0)).startsWith("epoch 3 of 20  100 % [====");
  }

  @Test
  void theTimeOfTheRunStandsBesideThatOfTheEpoch() {
    assertThat(rows(0, 750_000, 3_000_000, 75).bar(50, 4000 * SECOND))
        .isEqualTo("epoch 3 of 20   25 %  1:15, 3:45 left, run 1:06:40");
    assertThat(rows(0, 750_000, -1, 75).line(76 * SECOND)).endsWith("1:15, run 1:16");
    assertThat(rows(0, 750_000, -1, 75).line(75 * SECOND)).endsWith("1:15");
  }
}
