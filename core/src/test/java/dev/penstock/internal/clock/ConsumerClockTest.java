package dev.penstock.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WaitStats;
import dev.penstock.testing.Seeded;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConsumerClockTest {
  private final AtomicLong now = new AtomicLong(1_000);

  /// The threads of two workers are played by this one: a run within a run.
  private final StageClocks workers = new StageClocks(2, now::get);

  private final ConsumerClock consumer = new ConsumerClock(workers, now::get);

  private void pass(long nanos) {
    now.addAndGet(nanos);
  }

  @Test
  void waitIsDividedAmongWhatWorkersDidMeanwhile() {
    workers
        .of(0)
        .run(
            Stage.FETCH,
            () ->
                workers
                    .of(1)
                    .run(
                        Stage.DECODE,
                        () -> {
                          pass(500); // before the wait: does not count
                          ConsumerClock.Wait wait = consumer.begin();
                          pass(20);
                          workers.of(1).enter(Stage.WAIT);
                          pass(60);
                          consumer.end(wait);
                        }));
    // 80 of fetching and 20 of decoding in a wait of 80; waiting is nobody's work.
    assertThat(consumer.times().waitNanos()).isEqualTo(80);
    assertThat(consumer.times().waitedFor())
        .isEqualTo(new StageTimes(Map.of(Stage.FETCH, 64L, Stage.DECODE, 16L)));
  }

  @Test
  void waitInWhichNobodyWorkedIsAWait() {
    ConsumerClock.Wait wait = consumer.begin();
    pass(5);
    consumer.end(wait);
    assertThat(consumer.times().waitedFor()).isEqualTo(new StageTimes(Map.of(Stage.WAIT, 5L)));
  }

  @Seeded(runs = 50)
  void partsAddUpToTheWaits(Random random) {
    workers
        .of(0)
        .run(
            Stage.BATCH,
            () -> {
              for (int i = 0; i < 20; i++) {
                pass(random.nextInt(100));
                ConsumerClock.Wait wait = consumer.begin();
                for (Stage stage : Stage.values()) {
                  workers.of(0).enter(stage);
                  pass(random.nextLong(1L << random.nextInt(40)));
                }
                consumer.end(wait);
                assertThat(consumer.times().waitedFor().totalNanos())
                    .isEqualTo(consumer.times().waitNanos());
              }
            });
  }

  @Test
  void withoutWorkersTheConsumerWaitsForItsOwnWork() {
    StageClocks inline = new StageClocks(0, now::get);
    ConsumerClock clock = new ConsumerClock(inline, now::get);
    ConsumerClock.Wait wait = clock.begin();
    inline.of(0).run(Stage.DECODE, () -> pass(40));
    clock.end(wait);
    assertThat(clock.times().waitNanos()).isEqualTo(40);
    assertThat(clock.times().waitedFor()).isEqualTo(new StageTimes(Map.of(Stage.DECODE, 40L)));
  }

  private void waitFor(ConsumerClock clock, long nanos) {
    ConsumerClock.Wait wait = clock.begin();
    pass(nanos);
    clock.end(wait);
  }

  @Test
  void eachBatchHasTheSumOfItsWaits() {
    consumer.received(); // it was ready
    waitFor(consumer, 3_000); // in hasNext()
    waitFor(consumer, 1_000); // in next()
    consumer.received();
    consumer.received();
    waitFor(consumer, 7); // for the end
    WaitStats waits = consumer.times().waits();
    assertThat(waits.count()).isEqualTo(3);
    assertThat(waits.buckets().getFirst()).isEqualTo(new WaitStats.Bucket(0, 2));
    assertThat(waits.totalNanos()).isEqualTo(4_000);
    assertThat(waits.maxNanos()).isEqualTo(4_000);
    assertThat(consumer.times().waitNanos()).isEqualTo(4_007);
  }

  @Test
  void withoutWorkersABatchWaitsForItsLoading() {
    ConsumerClock clock = new ConsumerClock(new StageClocks(0, now::get), now::get);
    waitFor(clock, 40);
    clock.received();
    assertThat(clock.times().waits())
        .isEqualTo(new WaitStats(List.of(new WaitStats.Bucket(1024, 1)), 40, 40));
  }

  @Test
  void epochRunsUntilItsFirstEnd() {
    pass(10);
    assertThat(consumer.times().nanos()).isEqualTo(10);
    pass(10);
    consumer.end();
    pass(10);
    consumer.end();
    assertThat(consumer.times().nanos()).isEqualTo(20);
  }
}
