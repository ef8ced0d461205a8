package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.SlabPool.Slab;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchMemoryTest {
  private static final long MIB = 1 << 20;

  private final MemoryMeter meter = new MemoryMeter();

  @Test
  void slabIsAsLargeAsAskedForAndNotMuchLarger() {
    try (BatchMemory memory = new BatchMemory(meter, 0)) {
      for (long bytes : new long[] {0, 1, 64, 65, 128, 1000, MIB - 1, MIB, MIB + 1, 5 * MIB + 7}) {
        Slab slab = memory.take(bytes);
        assertThat(slab.segment().byteSize())
            .isBetween(bytes, Math.max(64, bytes <= 16 << 10 ? 2 * bytes : bytes + bytes / 4));
        assertThat(slab.segment().address() % 64).isZero();
      }
    }
  }

  @Test
  void slabOfASizeServesTheNextOfThatSize() {
    try (BatchMemory memory = new BatchMemory(meter, 100)) {
      Slab first = memory.take(3 * MIB);
      first.release();
      assertThat(memory.take(3 * MIB - 9).segment()).isEqualTo(first.segment());
      Slab fixed = memory.take();
      fixed.release();
      assertThat(memory.take().segment()).isEqualTo(fixed.segment());
    }
  }

  @Test
  void memoryFollowsSizesThatDrift() {
    try (BatchMemory memory = new BatchMemory(meter, 0)) {
      for (long size = 2 * MIB; size < 60 * MIB; size += MIB) {
        List<Slab> slabs = new ArrayList<>();
        for (long taken = 0; taken < 90 * MIB; taken += size) {
          slabs.add(memory.take(size));
        }
        slabs.forEach(Slab::release);
        assertThat(meter.used()).isLessThan(260 * MIB);
      }
    }
    assertThat(meter.used()).isZero();
    assertThat(meter.peak()).isLessThan(260 * MIB);
  }

  @Test
  void slabsOfAnOpenBatchOutliveTheLoader() {
    BatchMemory memory = new BatchMemory(meter, 100);
    Slab fixed = memory.take();
    Slab large = memory.take(2 * MIB);
    memory.take(7 * MIB).release();
    memory.close();
    assertThat(meter.used()).isEqualTo(MIB + 2 * MIB);
    large.release();
    fixed.release();
    assertThat(meter.used()).isZero();
  }

  @Test
  void closedMemoryGivesNothing() {
    BatchMemory memory = new BatchMemory(meter, 100);
    memory.close();
    assertThatThrownBy(memory::take).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.take(5)).isInstanceOf(IllegalStateException.class);
  }
}
