package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlabPoolTest {
  private final MemoryMeter meter = new MemoryMeter();

  private SlabPool pool(long slabBytes) {
    return new SlabPool(meter, slabBytes, SlabPool.BLOCK_BYTES, SlabSource.PLAIN);
  }

  @Test
  void releasedSlabServesTheNextBatch() {
    try (SlabPool pool = pool(4 << 20)) {
      SlabPool.Slab first = pool.acquire();
      first.release();
      assertThat(pool.acquire().segment()).isEqualTo(first.segment());
      assertThat(meter.used()).isEqualTo(4 << 20);
    }
  }

  @Test
  void slabsDoNotOverlapAndAreAligned() {
    try (SlabPool pool = pool(100)) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 20_000; i++) {
        MemorySegment segment = pool.acquire().segment();
        assertThat(segment.address() % 64).isZero();
        assertThat(segment.byteSize()).isEqualTo(128);
        assertThat(addresses.add(segment.address())).isTrue();
      }
    }
  }

  @Test
  void closingFreesWhatIsBackAndTheRestWhenItComesBack() {
    SlabPool pool = pool(4 << 20);
    SlabPool.Slab open = pool.acquire();
    pool.acquire().release();
    pool.close();
    assertThat(meter.used()).isEqualTo(4 << 20);
    open.release();
    assertThat(meter.used()).isZero();
    assertThat(open.segment().scope().isAlive()).isFalse();
  }

  @Test
  void closedPoolGivesNothing() {
    SlabPool pool = pool(64);
    pool.close();
    pool.close();
    assertThatThrownBy(pool::acquire).isInstanceOf(IllegalStateException.class);
  }
}
