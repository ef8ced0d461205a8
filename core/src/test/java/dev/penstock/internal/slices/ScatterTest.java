package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScatterTest {
  private static MemorySegment memory(Arena arena, boolean onHeap, int words) {
    return onHeap ? MemorySegment.ofArray(new long[words]) : arena.allocate(8L * words, 8);
  }

  @Seeded(runs = 50)
  void valuesGoToTheirPlaces(Random random) {
    try (Arena arena = Arena.ofConfined()) {
      int rows = 1 + random.nextInt(100);
      int[] places = java.util.stream.IntStream.range(0, rows).toArray();
      for (int i = rows - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int place = places[i];
        places[i] = places[other];
        places[other] = place;
      }
      int count = random.nextInt(rows + 1);
      MemorySegment source = memory(arena, random.nextBoolean(), rows);
      for (int i = 0; i < rows; i++) {
        source.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong() | 1);
      }
      MemorySegment longs = memory(arena, random.nextBoolean(), rows);
      MemorySegment ints = memory(arena, random.nextBoolean(), rows);
      Gather.scatterLongs(source, places, count, longs);
      Gather.scatterInts(source, places, count, ints);
      for (int i = 0; i < rows; i++) {
        boolean isCopied = i < count;
        assertThat(longs.getAtIndex(ValueLayout.JAVA_LONG, places[i]))
            .isEqualTo(isCopied ? source.getAtIndex(ValueLayout.JAVA_LONG, i) : 0);
        assertThat(ints.getAtIndex(ValueLayout.JAVA_INT, places[i]))
            .isEqualTo(isCopied ? source.getAtIndex(ValueLayout.JAVA_INT, i) : 0);
      }
    }
  }

  @Test
  void placesThatAreNotThereAreRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment four = arena.allocate(32, 8);
      MemorySegment fourInts = four.asSlice(0, 16);
      for (int wrong : new int[] {4, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        int[] places = {0, wrong, 3};
        assertThatThrownBy(() -> Gather.scatterLongs(four, places, 3, four))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Gather.scatterInts(four, places, 3, fourInts))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      int[] good = {0, 1, 2};
      assertThatThrownBy(() -> Gather.scatterLongs(fourInts, good, 3, four))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Gather.scatterLongs(four, good, 4, four))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Gather.scatterInts(four, good, 4, four))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
