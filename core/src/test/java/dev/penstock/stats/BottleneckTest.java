package dev.penstock.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The rules of [LoaderStats#bottleneck()], on made-up numbers. Times are in milliseconds, and
/// epochs run for 1,000.
class BottleneckTest {
  private static LoaderStats stats(
      long batches, long millis, long waits, List<WorkerStats> workers) {
    return new LoaderStats(
        0,
        100,
        batches,
        List.of(),
        PaddingStats.NONE,
        0,
        List.of(),
        ReadStats.NONE,
        new MemoryStats(0, 0, 1),
        new EpochTimes(
            millis * 1_000_000, times(Map.of(Stage.WAIT, waits)), WaitStats.NONE, workers),
        BatchQueue.NONE);
  }

  private static StageTimes times(Map<Stage, Long> millis) {
    Map<Stage, Long> nanos = new HashMap<>();
    millis.forEach((stage, time) -> nanos.put(stage, time * 1_000_000));
    return new StageTimes(nanos);
  }

  private static LoaderStats stats(
      long batches, long millis, long waits, List<Map<Stage, Long>> workers, int first) {
    List<WorkerStats> all = new ArrayList<>();
    for (Map<Stage, Long> times : workers) {
      all.add(new WorkerStats(first + all.size(), false, times(times)));
    }
    return stats(batches, millis, waits, all);
  }

  private static String sentence(long waits, List<Map<Stage, Long>> workers) {
    return stats(10, 1_000, waits, workers, 0).bottleneck().toString();
  }

  private static String inline(long waits, Map<Stage, Long> times) {
    return stats(10, 1_000, waits, List.of(times), -1).bottleneck().toString();
  }

  @Test
  void consumerThatWaitsLittleIsTheBottleneck() {
    assertThat(
            sentence(
                30,
                List.of(
                    Map.of(Stage.DECODE, 290L, Stage.WAIT, 710L),
                    Map.of(Stage.DECODE, 290L, Stage.WAIT, 710L))))
        .isEqualTo(
            "The consumer is the bottleneck: it waited 3 % of the time, and the workers 71 % of"
                + " theirs. A faster loader would save no more than that, and fewer workers would"
                + " do.");
  }

  @Test
  void tenPercentOfWaitingIsNoLongerLittle() {
    List<Map<Stage, Long>> workers = List.of(Map.of(Stage.DECODE, 900L));
    assertThat(sentence(99, workers)).startsWith("The consumer is");
    assertThat(sentence(100, workers)).startsWith("Decoding is");
  }

  @Test
  void openingAndFetchingAreReading() {
    assertThat(
            sentence(
                800,
                List.of(
                    Map.of(Stage.OPEN, 200L, Stage.FETCH, 440L, Stage.DECODE, 360L),
                    Map.of(Stage.OPEN, 0L, Stage.FETCH, 640L, Stage.DECODE, 360L))))
        .isEqualTo(
            "Reading is the bottleneck (OPEN 10 % and FETCH 54 % of the workers' time), and the"
                + " consumer waited 80 % of the time: more workers read more at once, and a cache"
                + " reads each file once.");
  }

  @Test
  void manySmallFilesAreOpenedMoreThanRead() {
    assertThat(
            sentence(800, List.of(Map.of(Stage.OPEN, 600L, Stage.FETCH, 100L, Stage.DECODE, 300L))))
        .isEqualTo(
            "Reading is the bottleneck (OPEN 60 % and FETCH 10 % of the workers' time), and the"
                + " consumer waited 80 % of the time: fewer, larger files are opened faster, and a"
                + " cache opens none.");
  }

  @Test
  void decompressingAndDecodingAreDecodingTogether() {
    // Each by itself is less than fetching.
    assertThat(
            sentence(
                500,
                List.of(Map.of(Stage.FETCH, 400L, Stage.DECOMPRESS, 300L, Stage.DECODE, 300L))))
        .isEqualTo(
            "Decoding is the bottleneck (DECOMPRESS 30 % and DECODE 30 % of the workers' time),"
                + " and the consumer waited 50 % of the time: more workers help while processors"
                + " are idle, and so do fewer columns.");
  }

  @Test
  void everyOtherStageSpeaksForItself() {
    Map<Stage, String> names =
        Map.of(
            Stage.FILTER, "The filter",
            Stage.SHUFFLE, "Shuffling",
            Stage.TRANSFORM, "The transform",
            Stage.BATCH, "Copying rows to batches",
            Stage.COLLATE, "Collating");
    names.forEach((stage, name) ->
        assertThat(sentence(500, List.of(Map.of(stage, 600L, Stage.DECODE, 400L))))
            .isEqualTo(
                name
                    + " is the bottleneck ("
                    + stage
                    + " 60 % of the workers' time), and the consumer waited 50 % of the time:"
                    + " more workers help while processors are idle"
                    + (stage == Stage.TRANSFORM ? ", and so does a cheaper one." : ".")));
  }

  @Test
  void bothSidesMayWaitByTurns() {
    assertThat(
            sentence(
                200,
                List.of(
                    Map.of(Stage.DECODE, 400L, Stage.WAIT, 600L),
                    Map.of(Stage.DECODE, 400L, Stage.WAIT, 600L))))
        .isEqualTo(
            "No side is the bottleneck all the time: the consumer waited 20 % of the time and the"
                + " workers 60 % of theirs. A larger prefetchFactor() evens that out.");
  }

  @Test
  void workersThatWaitMoreThanTheyDoAnythingAreNoBottleneck() {
    List<Map<Stage, Long>> workers =
        List.of(
            Map.of(Stage.DECODE, 230L, Stage.BATCH, 210L, Stage.FETCH, 130L, Stage.WAIT, 430L),
            Map.of(Stage.DECODE, 230L, Stage.BATCH, 210L, Stage.FETCH, 140L, Stage.WAIT, 420L));
    assertThat(sentence(600, workers))
        .startsWith(
            "No side is the bottleneck all the time: the consumer waited 60 % of the time and the"
                + " workers 43 % of theirs");
  }

  @Test
  void fewBatchesAndFewMillisecondsAreTooShortToTell() {
    List<Map<Stage, Long>> workers = List.of(Map.of(Stage.DECODE, 15L));
    for (int first : new int[] {-1, 0}) {
      assertThat(stats(9, 1_030, 900, workers, first).bottleneck())
          .hasToString(
              "Too short to name a bottleneck: that takes at least 10 batches and 20 ms, and so far"
                  + " it is 9 in 1030 ms.");
      assertThat(stats(300, 19, 15, workers, first).bottleneck().toString())
          .startsWith("Too short to name a bottleneck: ")
          .endsWith(" 300 in 19 ms.");
      assertThat(stats(10, 20, 15, workers, first).bottleneck().toString())
          .contains(" is the bottleneck");
    }
  }

  @Test
  void consumerIsTheBottleneckOfAShortEpochToo() {
    assertThat(stats(1, 20, 1, List.of(Map.of(Stage.DECODE, 10L)), 0).bottleneck().toString())
        .startsWith("The consumer is the bottleneck: it waited 5 % of the time");
  }

  @Test
  void oneWorkerMayHaveToDoWhatAllWaitFor() {
    assertThat(
            sentence(
                900,
                List.of(
                    Map.of(Stage.DECODE, 990L, Stage.WAIT, 10L),
                    Map.of(Stage.DECODE, 100L, Stage.WAIT, 900L),
                    Map.of(Stage.DECODE, 110L, Stage.WAIT, 890L))))
        .isEqualTo(
            "One worker is the bottleneck: it waited 1 % of its time, all together 60 %, and the"
                + " consumer 90 %. Fewer workers would do as well. Smaller row groups share the work"
                + " better, and so do several files in place of one that is compressed as a"
                + " whole.");
  }

  @Test
  void workerThatEndedEarlyHadNothingToDo() {
    assertThat(
            sentence(
                900,
                List.of(
                    Map.of(Stage.DECODE, 950L, Stage.WAIT, 50L),
                    Map.of(Stage.DECODE, 1L),
                    Map.of(Stage.WAIT, 1L))))
        .startsWith(
            "One worker is the bottleneck: it waited 5 % of its time, all together 68 %, and the"
                + " consumer 90 %.");
  }

  @Test
  void withoutWorkersLoadingTakesTheConsumersTime() {
    assertThat(inline(620, Map.of(Stage.FETCH, 62L, Stage.DECOMPRESS, 186L, Stage.DECODE, 372L)))
        .isEqualTo(
            "Loading is the bottleneck: the consumer's thread spends 62 % of the time on it, mostly"
                + " on decoding (DECOMPRESS 30 % and DECODE 60 % of loading). Workers do it"
                + " meanwhile.");
    assertThat(inline(50, Map.of(Stage.DECODE, 50L)))
        .isEqualTo(
            "The consumer is the bottleneck: it waited 5 % of the time. A faster loader would save"
                + " no more than that.");
  }

  @Test
  void nothingIsSaidOfNothing() {
    String nothing = "Nothing was delivered, so nothing can be said of a bottleneck.";
    assertThat(LoaderStats.none(3, 0, List.of(), new MemoryStats(0, 0, 1)).bottleneck())
        .hasToString(nothing);
    assertThat(sentence(500, List.of())).isEqualTo(nothing);
    assertThat(sentence(500, List.of(Map.of()))).isEqualTo(nothing);
  }
}
