package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class WorkerScratchTest {
  private final MemoryMeter meter = new MemoryMeter();

  @Test
  void givenBackMemoryIsUsedAgain() {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      MemorySegment first = scratch.take(100_000);
      scratch.give(first);
      assertThat(scratch.take(90_000)).isSameAs(first);
    }
  }

  @Test
  void smallRequestDoesNotHoldAGiantBlock() {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      MemorySegment giant = scratch.take(10 << 20);
      scratch.give(giant);
      assertThat(scratch.take(1000).byteSize()).isLessThan(10_000);
    }
  }

  @Test
  void idleMemoryNeverExceedsWhatWasUsedAtOnce() {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      for (int i = 1; i <= 200; i++) {
        scratch.give(scratch.take(i * 10_000L));
        assertThat(meter.used()).isLessThanOrEqualTo(2 * (i * 10_000L + 4096));
      }
    }
  }

  @Test
  void closingFreesEverything() {
    WorkerScratch scratch = new WorkerScratch(meter);
    scratch.take(5000);
    scratch.give(scratch.take(6000));
    scratch.close();
    assertThat(meter.used()).isZero();
    assertThat(meter.peak()).isPositive();
  }

  @Test
  void foreignMemoryIsRefused() {
    try (WorkerScratch scratch = new WorkerScratch(meter);
        Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> scratch.give(arena.allocate(10)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
