package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatherTest {
  private static MemorySegment memory(Arena arena, boolean onHeap, int words) {
    return onHeap ? MemorySegment.ofArray(new long[words]) : arena.allocate(8L * words, 8);
  }

  @Seeded(runs = 50)
  void chosenValuesLieNextToEachOther(Random random) {
    try (Arena arena = Arena.ofConfined()) {
      int rows = 1 + random.nextInt(100);
      int base = random.nextInt(10);
      MemorySegment source = memory(arena, random.nextBoolean(), rows);
      for (int i = 0; i < rows; i++) {
        source.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
      }
      int[] chosen = random.ints(random.nextInt(200), base, base + rows).toArray();
      int from = random.nextInt(chosen.length + 1);
      int to = from + random.nextInt(chosen.length - from + 1);
      int at = random.nextInt(5);
      MemorySegment target = memory(arena, random.nextBoolean(), at + to - from + 1);
      Gather.longs(source, chosen, from, to, base, target, at * 8L);
      for (int i = from; i < to; i++) {
        assertThat(target.getAtIndex(ValueLayout.JAVA_LONG, at + i - from))
            .isEqualTo(source.getAtIndex(ValueLayout.JAVA_LONG, chosen[i] - base));
      }
      assertThat(target.getAtIndex(ValueLayout.JAVA_LONG, at + to - from)).isZero();
      Gather.ints(source, chosen, from, to, base, target, at * 4L);
      for (int i = from; i < to; i++) {
        assertThat(target.getAtIndex(ValueLayout.JAVA_INT, at + i - from))
            .isEqualTo(source.getAtIndex(ValueLayout.JAVA_INT, chosen[i] - base));
      }
    }
  }

  @Test
  void rowsThatAreNotThereAreRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment four = arena.allocate(32, 8);
      for (int wrong : new int[] {4, -1, 3 - 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        int[] chosen = {0, wrong, 3};
        assertThatThrownBy(() -> Gather.longs(four, chosen, 0, 3, 0, four, 0))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Gather.ints(four.asSlice(0, 16), chosen, 0, 3, 0, four, 0))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      int[] good = {0, 1, 2};
      assertThatThrownBy(() -> Gather.longs(four, good, 0, 3, 0, four.asSlice(0, 16), 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Gather.longs(four, good, 0, 4, 0, four, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
