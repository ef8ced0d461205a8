package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.RowSet;
import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.LongStream;

class RowMaskTest {
  @Seeded(runs = 50)
  void bitsOfKeptRowsAreCopiedNextToEachOther(Random random) {
    RowMask kept = new RowMask();
    for (int slice = 0; slice < 20; slice++) {
      int first = random.nextInt(1000);
      int rows = 1 + random.nextInt(random.nextBoolean() ? 200 : 9000);
      double share = new double[] {0.02, 0.5, 0.95, 0.999, 1}[random.nextInt(5)];
      long[] deleted =
          LongStream.range(0, first + rows).filter(_ -> random.nextDouble() >= share).toArray();
      RowSet live = RowSet.allBut(first + rows, LongStream.of(deleted));
      byte[] bytes = new byte[(rows + 7) / 8];
      random.nextBytes(bytes);
      BitSet stored = BitSet.valueOf(bytes);
      BitSet gone = new BitSet();
      LongStream.of(deleted).forEach(row -> gone.set((int) row));
      BitSet expected = new BitSet();
      int count = 0;
      for (int row = 0; row < rows; row++) {
        if (!gone.get(first + row)) {
          expected.set(count++, stored.get(row));
        }
      }
      kept.choose(live, first, rows);
      assertThat(kept.count()).isEqualTo(count);
      assertThat(kept.areAll()).isEqualTo(count == rows);
      try (Arena arena = Arena.ofConfined()) {
        // No byte after the rows may be read, and only a word be written.
        int at = random.nextBoolean() ? 0 : random.nextInt(200);
        MemorySegment target = arena.allocate((at + count + 63L) / 64 * 8 + 1).fill((byte) -1);
        assertThat(kept.copyBits(MemorySegment.ofArray(bytes), target, at))
            .isEqualTo(expected.cardinality());
        byte[] copied = target.toArray(ValueLayout.JAVA_BYTE);
        BitSet found = BitSet.valueOf(copied);
        assertThat(found.get(at, at + count)).isEqualTo(expected);
        assertThat(found.nextClearBit(0)).isGreaterThanOrEqualTo(at);
      }
    }
  }
}
