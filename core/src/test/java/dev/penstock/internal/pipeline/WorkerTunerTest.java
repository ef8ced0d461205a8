package dev.penstock.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerTunerTest {
  private static final long PERIOD = Duration.ofMillis(50).toNanos();

  private EpochTimes seen = EpochTimes.NONE;

  /// Lets time pass.
  ///
  /// @param waited the share of it that the consumer waited
  /// @param busy how many workers were busy
  /// @return how many workers decode then
  private int pass(WorkerTuner tuner, long nanos, double waited, double busy) {
    EpochTimes before = seen;
    Map<Stage, Long> workers =
        Map.of(
            Stage.DECODE,
            before.ofWorkers().nanos(Stage.DECODE) + (long) (busy * nanos),
            Stage.WAIT,
            before.ofWorkers().nanos(Stage.WAIT) + nanos);
    StageTimes consumer =
        new StageTimes(Map.of(Stage.DECODE, before.waitNanos() + (long) (waited * nanos)));
    seen =
        new EpochTimes(
            before.nanos() + nanos,
            consumer,
            WaitStats.NONE,
            List.of(new WorkerStats(0, false, new StageTimes(workers))));
    return tuner.choose(before, seen);
  }

  /// A machine: so much work for a batch, and a consumer that takes so long with it.
  private int settled(WorkerTuner tuner, double workPerBatch, double consumerPerBatch) {
    int decoding = tuner.decoding();
    for (int i = 0; i < 100; i++) {
      double perBatch = Math.max(workPerBatch / decoding, consumerPerBatch);
      decoding = pass(tuner, PERIOD, 1 - consumerPerBatch / perBatch, workPerBatch / perBatch);
    }
    return decoding;
  }

  @Test
  void allDecodeForAConsumerThatDoesNothing() {
    assertThat(settled(WorkerTuner.upTo(16), 1, 0)).isEqualTo(16);
  }

  @Test
  void asManyDecodeAsTheConsumerNeeds() {
    WorkerTuner tuner = WorkerTuner.upTo(16);
    assertThat(settled(tuner, 4, 1)).isEqualTo(6); // 4 are enough if they are busy all the time
    assertThat(settled(tuner, 1, 10)).isEqualTo(1);
    assertThat(settled(tuner, 4, 1)).isEqualTo(4);
    assertThat(settled(tuner, 20, 1)).isEqualTo(16);
  }

  @Test
  void choiceIsMadeAfterAPeriodAlsoOfSeveralEpochs() {
    WorkerTuner tuner = WorkerTuner.upTo(8);
    assertThat(settled(tuner, 1, 10)).isEqualTo(1);
    for (int epoch = 0; epoch < 9; epoch++) {
      assertThat(pass(tuner, PERIOD / 10, 0.5, 1)).isEqualTo(1);
      seen = EpochTimes.NONE;
    }
    assertThat(pass(tuner, PERIOD / 10, 0.5, 1)).isEqualTo(2);
  }

  @Test
  void oneQuietPeriodParksNobody() {
    WorkerTuner tuner = WorkerTuner.upTo(4);
    for (int i = 0; i < 20; i++) {
      assertThat(pass(tuner, 3 * PERIOD / 2, 0, 0.5)).isEqualTo(4);
      assertThat(pass(tuner, PERIOD, 0.5, 4)).isEqualTo(4);
    }
  }

  @Test
  void nothingChangesWhereBothSidesWaitByTurns() {
    WorkerTuner tuner = WorkerTuner.upTo(4);
    for (int i = 0; i < 20; i++) {
      assertThat(pass(tuner, PERIOD, 0.2, 1)).isEqualTo(4);
    }
  }

  @Test
  void fixedNumberStays() {
    WorkerTuner tuner = WorkerTuner.fixed(3);
    assertThat(settled(tuner, 1, 10)).isEqualTo(3);
    assertThat(tuner.isFixed()).isTrue();
  }
}
