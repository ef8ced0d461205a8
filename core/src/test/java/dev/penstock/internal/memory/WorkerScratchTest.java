package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
  void memoryElsewhereCountsAndClosingDropsIt() {
    WorkerScratch scratch = new WorkerScratch(meter);
    scratch.count(5000);
    scratch.count(-2000);
    assertThat(meter.used()).isEqualTo(3000);
    assertThat(scratch.takenBytes()).isEqualTo(3000);
    assertThat(scratch.takenBytesPeak()).isEqualTo(5000);
    scratch.close();
    assertThat(meter.used()).isZero();
  }

  @Test
  void manyOfOneSizeShareBlocks() {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      Set<Object> blocks = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        blocks.add(scratch.take(8192).scope());
        assertThat(meter.used()).isLessThanOrEqualTo((i + 1) * 8192L * 5 / 4);
      }
      assertThat(blocks).hasSizeLessThan(50);
    }
  }

  @Test
  void withLittleRoomEveryPieceHasItsBlock() {
    try (WorkerScratch scratch = new WorkerScratch(new MemoryMeter(110 * 8192))) {
      Set<Object> blocks = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        blocks.add(scratch.take(8192).scope());
      }
      assertThat(blocks).hasSizeBetween(30, 90);
    }
  }

  @Seeded(runs = 200)
  void piecesAreApartAndAllAreFreedInTheEnd(Random random) {
    WorkerScratch scratch = new WorkerScratch(meter);
    List<MemorySegment> taken = new ArrayList<>();
    int steps = 1 + random.nextInt(600);
    int sizes = 1 + random.nextInt(4);
    for (int step = 0; step < steps; step++) {
      if (random.nextInt(20) == 0) {
        meter.freeIdle();
      }
      if (taken.isEmpty() || random.nextInt(5) > 1) {
        int bytes = 1 + random.nextInt(sizes) * 4096 + random.nextInt(4096);
        MemorySegment memory = scratch.take(bytes);
        assertThat(memory.byteSize()).isBetween((long) bytes, 2L * (bytes + 4096));
        memory.fill((byte) System.identityHashCode(memory));
        taken.add(memory);
      } else {
        MemorySegment memory = taken.remove(random.nextInt(taken.size()));
        byte mark = (byte) System.identityHashCode(memory);
        for (long at = 0; at < memory.byteSize(); at += 512) {
          assertThat(memory.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(mark);
        }
        scratch.give(memory);
      }
      long needed = taken.stream().mapToLong(MemorySegment::byteSize).sum();
      assertThat(scratch.takenBytes()).isBetween(needed, meter.used());
      assertThat(meter.used()).isLessThanOrEqualTo(scratch.takenBytesPeak() * 9 / 4);
    }
    if (random.nextBoolean()) {
      taken.forEach(scratch::give);
      meter.freeIdle();
    } else {
      scratch.close();
    }
    assertThat(meter.used()).isZero();
    assertThat(scratch.takenBytes()).isZero();
    scratch.close();
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
