package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Workers of one thread, one after the other: nobody waits, as all that could be waited for has
/// been given up.
class MemoryTurnsTest {
  private static final long LIMIT = 64 << 20;
  private static final int COLUMNS_IN_PARTS = 10;

  private final MemoryMeter meter = new MemoryMeter(LIMIT);
  private final BatchMemory batches =
      new BatchMemory(meter, LIMIT / 16, COLUMNS_IN_PARTS, SlabSource.PLAIN);
  private final WorkerScratch early = new WorkerScratch(meter);
  private final WorkerScratch late = new WorkerScratch(meter);
  private final List<SlabPool.Slab> begun = new ArrayList<>();
  private long bytesOfNext = -1;

  private final MemoryTurns turns =
      new MemoryTurns(
          meter,
          batches.batchBytes(),
          LIMIT / 64,
          2,
          new MemoryTurns.Elsewhere() {
            @Override
            public void await(Condition condition) {
              throw new AssertionError("There is nothing to wait for.");
            }

            @Override
            public void wake() {}

            @Override
            public long bytesOfNext() {
              return bytesOfNext;
            }

            @Override
            public boolean isConsumersTurn() {
              return false;
            }
          });

  @AfterEach
  void free() {
    begun.forEach(SlabPool.Slab::release);
    batches.close();
    early.close();
    late.close();
    assertThat(meter.room()).isEqualTo(LIMIT);
  }

  /// Begins batches until there is no room for one more.
  private void beginBatches(MemoryTurn turn) {
    turn.run(() ->
        assertThatThrownBy(
                () -> {
                  while (true) {
                    begun.add(batches.take());
                  }
                })
            .isInstanceOf(NoRoomException.class));
  }

  /// Its thread may be slow to start, and then it may get the very first rows.
  @Test
  void workerThatHasNotComeYetFindsRoom() {
    MemoryTurn first = turns.of(early, 0);
    first.at(0, 90, 0);
    beginBatches(first);
    assertThat(begun).isNotEmpty();
    assertThat(meter.room()).isGreaterThanOrEqualTo(LIMIT / 8);
  }

  /// Though nobody gives up batches that were begun, they are not what the first needs.
  @Test
  void batchesFurtherOnAreNoReasonToFail() {
    MemoryTurn ahead = turns.of(early, 0);
    MemoryTurn first = turns.of(late, 1);
    first.at(0, 0, 1);
    ahead.at(0, 90, 0);
    beginBatches(ahead);
    long reserved = COLUMNS_IN_PARTS * LIMIT / 256;
    assertThat(batches.batchBytes()).isEqualTo(LIMIT / 16 + reserved);
    long room = meter.room();
    first.run(() -> {
      assertThat(room).isLessThan(LIMIT / 4);
      late.take(LIMIT / 4);
      assertThatCode(first::requireEnough).doesNotThrowAnyException();
      // With a batch of its own it is too much, whatever the others do.
      long more = LIMIT - LIMIT / 4 - LIMIT / 16;
      assertThatThrownBy(() -> late.take(more))
          .isInstanceOfSatisfying(NoRoomException.class, e -> assertThat(e.isAlone()).isTrue());
      first.measure(true);
      late.take(more);
      assertThatThrownBy(first::requireEnough)
          .isInstanceOfSatisfying(
              TooLittleMemoryException.class,
              e -> assertThat(e.least()).isBetween(LIMIT + reserved, (LIMIT + reserved) * 9 / 8));
    });
  }

  @Test
  void whatIsKeptForOthersAndTheNextBatchCountAsNeeded() {
    MemoryTurn ahead = turns.of(early, 0);
    MemoryTurn first = turns.of(late, 1);
    first.at(0, 0, 1);
    ahead.at(0, 90, 0);
    meter.hold(LIMIT / 2);
    bytesOfNext = LIMIT / 4;
    first.run(() -> {
      late.take(LIMIT / 4);
      assertThatCode(first::requireEnough).doesNotThrowAnyException();
      first.measure(true);
      late.take(LIMIT / 2);
      assertThatThrownBy(first::requireEnough)
          .isInstanceOfSatisfying(
              TooLittleMemoryException.class, e -> assertThat(e.least()).isEqualTo(LIMIT * 3 / 2));
    });
    meter.hold(-LIMIT / 2);
  }
}
