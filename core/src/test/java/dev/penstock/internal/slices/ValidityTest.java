package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Random;

class ValidityTest {
  @Seeded(runs = 200)
  void nullsAreTheRowsWhoseBitsAreNotSet(Random random) {
    int rows = 1 + random.nextInt(200);
    byte[] bytes = new byte[(rows + 7) / 8];
    random.nextBytes(bytes);
    BitSet present = BitSet.valueOf(bytes);
    MemorySegment bits = MemorySegment.ofArray(bytes);

    for (int from = 0; from < rows; from++) {
      int count = Math.min(1 + random.nextInt(64), rows - from);
      BitSet expected = present.get(from, from + count);
      expected.flip(0, count);
      assertThat(BitSet.valueOf(new long[] {Validity.nulls(bits, from, count)}))
          .isEqualTo(expected);
    }
  }

  @Seeded(runs = 200)
  void eachBitBecomesAByte(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(20)];
    random.nextBytes(bytes);
    int from = random.nextInt(8 * bytes.length);
    int count = random.nextInt(8 * bytes.length - from + 1);
    byte[] target = new byte[count + 2];
    byte[] expected = new byte[count + 2];
    for (int i = 0; i < count; i++) {
      expected[i + 1] = (byte) (bytes[(from + i) / 8] >> (from + i) % 8 & 1);
    }
    Validity.expand(MemorySegment.ofArray(bytes), from, count, MemorySegment.ofArray(target), 1);
    assertThat(target).isEqualTo(expected);
  }
}
