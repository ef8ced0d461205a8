package dev.penstock.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StageClockTest {
  private final AtomicLong now = new AtomicLong(1_000);
  private final StageClock clock = new StageClock(now::get);

  private void pass(long nanos) {
    now.addAndGet(nanos);
  }

  private static StageTimes times(Map<Stage, Long> nanos) {
    return new StageTimes(nanos);
  }

  @Test
  void stageHasItsTimeWithoutThatOfTheStagesWithin() {
    clock.run(
        Stage.BATCH,
        () -> {
          pass(1);
          Stage outside = clock.enter(Stage.DECODE);
          pass(10);
          Stage within = clock.enter(Stage.FETCH);
          pass(100);
          clock.enter(within);
          pass(1_000);
          clock.enter(outside);
          pass(10_000);
        });
    assertThat(clock.times())
        .isEqualTo(times(Map.of(Stage.BATCH, 10_001L, Stage.DECODE, 1_010L, Stage.FETCH, 100L)));
  }

  @Test
  void stageThatGoesOnCountsUntilNow() {
    clock.run(
        Stage.BATCH,
        () -> {
          clock.enter(Stage.WAIT);
          pass(7);
          assertThat(clock.times()).isEqualTo(times(Map.of(Stage.WAIT, 7L)));
          pass(1);
          assertThat(clock.times()).isEqualTo(times(Map.of(Stage.WAIT, 8L)));
        });
  }

  @Test
  void clockStandsStillOutsideOfItsRuns() {
    clock.run(Stage.OPEN, () -> pass(3));
    pass(1_000);
    clock.enter(Stage.FETCH);
    pass(1_000);
    clock.run(Stage.OPEN, () -> pass(4));
    pass(1_000);
    assertThat(clock.times()).isEqualTo(times(Map.of(Stage.OPEN, 7L)));
  }

  @Test
  void threadHasTheClockOfTheInnermostRun() {
    StageClock inner = new StageClock(now::get);
    assertThat(StageClock.current()).isNotSameAs(clock);
    clock.run(
        Stage.TRANSFORM,
        () -> {
          assertThat(StageClock.current()).isSameAs(clock);
          pass(1);
          inner.run(
              Stage.DECODE,
              () -> {
                assertThat(StageClock.current()).isSameAs(inner);
                pass(20);
              });
          assertThat(StageClock.current()).isSameAs(clock);
          pass(1);
        });
    assertThat(StageClock.current()).isNotSameAs(clock);
    assertThat(clock.times()).isEqualTo(times(Map.of(Stage.TRANSFORM, 22L)));
    assertThat(inner.times()).isEqualTo(times(Map.of(Stage.DECODE, 20L)));
  }

  @Test
  void clockOfThreadsThatAreNoWorkersCountsNothing() {
    StageClock none = StageClock.current();
    assertThat(StageClock.<String, RuntimeException>in(Stage.FETCH, () -> "read"))
        .isEqualTo("read");
    none.enter(Stage.DECODE);
    assertThat(none.times()).isEqualTo(StageTimes.NONE);
  }

  @Test
  void failureLeavesItsStageAndItsRun() {
    assertThatThrownBy(() ->
            clock.run(
                Stage.BATCH,
                () -> {
                  assertThatThrownBy(() ->
                          StageClock.in(
                              Stage.FETCH,
                              () -> {
                                pass(5);
                                throw new IOException("gone");
                              }))
                      .hasMessage("gone");
                  pass(2);
                  throw new IllegalStateException("broken");
                }))
        .hasMessage("broken");
    pass(1_000);
    assertThat(clock.times()).isEqualTo(times(Map.of(Stage.FETCH, 5L, Stage.BATCH, 2L)));
  }

  @Seeded(runs = 50)
  void stagesTogetherTakeAllTheTime(Random random) {
    Map<Stage, Long> expected = new EnumMap<>(Stage.class);
    StageClock mixed = new StageClock(now::get);
    mixed.run(
        Stage.OPEN,
        () -> {
          Stage stage = Stage.OPEN;
          for (int i = 0; i < 200; i++) {
            long nanos = random.nextInt(1_000);
            pass(nanos);
            expected.merge(stage, nanos, Long::sum);
            assertThat(mixed.times()).isEqualTo(times(expected));
            Stage next = List.of(Stage.values()).get(random.nextInt(10));
            assertThat(mixed.enter(next)).isEqualTo(stage);
            stage = next;
          }
        });
    assertThat(mixed.times()).isEqualTo(times(expected));
  }

  /// Every look at the time is a nanosecond later, and so is the worker's start: what a reader sees
  /// is never more than has passed, as it would be if a stage counted twice.
  @Test
  void readerSeesTimesThatBelongTogether() throws InterruptedException {
    StageClock busy = new StageClock(now::incrementAndGet);
    AtomicBoolean done = new AtomicBoolean();
    Thread worker =
        Thread.ofPlatform()
            .start(() ->
                busy.run(
                    Stage.BATCH,
                    () -> {
                      while (!done.get()) {
                        busy.enter(Stage.DECODE);
                        busy.enter(Stage.BATCH);
                      }
                    }));
    try {
      for (int i = 0; i < 20_000; i++) {
        long total = busy.times().totalNanos();
        assertThat(total).isLessThanOrEqualTo(Math.max(0, now.get() - 1_001));
      }
    } finally {
      done.set(true);
      worker.join();
    }
    assertThat(busy.times().totalNanos()).isEqualTo(now.get() - 1_001);
  }
}
