package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransposeTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int SIGNALLING_NAN = 0x7fa0_0000;

  @Test
  void everyWidthAndHeightKeepsEachValueInItsPlace() {
    for (int width : new int[] {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 64, 65}) {
      for (int count : new int[] {0, 1, 2, 3, 16, 17, 100, 1024, 2051}) {
        assertTransposed(width, count, 5);
      }
    }
  }

  @Test
  void aMatrixOfManyColumnsIsWrittenInSeveralStrips() {
    assertTransposed(5000, 51, 3);
  }

  private static void assertTransposed(int width, int count, int from) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = new MemorySegment[width];
      for (int j = 0; j < width; j++) {
        columns[j] = arena.allocate((from + count) * 4L);
        for (int row = 0; row < from + count; row++) {
          columns[j].setAtIndex(INT, row, value(row, j));
        }
      }
      long bytes = (long) width * count * 4;
      MemorySegment memory = arena.allocate(bytes + 64).fill((byte) 0x55);

      Transpose.floats(columns, from, count, memory.asSlice(0, bytes), columns.length * 4L);

      long wrong = 0;
      for (int row = 0; row < count; row++) {
        for (int j = 0; j < width; j++) {
          int found = memory.get(INT, ((long) row * width + j) * 4);
          wrong += found == value(from + row, j) ? 0 : 1;
        }
      }
      assertThat(wrong).as("wrong values of [%s, %s]", count, width).isZero();
      for (long i = bytes; i < bytes + 64; i++) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) 0x55);
      }
    }
  }

  @Seeded(runs = 20)
  void everyRowGoesWholeToItsPlace(Random random) {
    int[] widths = {1, 2, 7, 8, 9, 16, 17, 31, 32, 65, 5000};
    for (int width : widths) {
      int rows = 1 + random.nextInt(width > 1000 ? 60 : 3000);
      int[] places = places(rows, random);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment target = arena.allocate((long) rows * width * 4);
        MemorySegment strip = arena.allocate(Transpose.stripBytes(width));
        for (int from = 0; from < rows; ) {
          int count = 1 + random.nextInt(rows - from);
          MemorySegment[] columns = new MemorySegment[width];
          for (int j = 0; j < width; j++) {
            columns[j] = arena.allocate(count * 4L);
            for (int row = 0; row < count; row++) {
              columns[j].setAtIndex(INT, row, value(from + row, j));
            }
          }
          Transpose.floats(columns, places, from, count, strip, target);
          from += count;
        }
        long wrong = 0;
        for (int row = 0; row < rows; row++) {
          for (int j = 0; j < width; j++) {
            int found = target.getAtIndex(INT, (long) places[row] * width + j);
            wrong += found == value(row, j) ? 0 : 1;
          }
        }
        assertThat(wrong).as("wrong values of [%s, %s]", rows, width).isZero();
      }
    }
  }

  @Seeded(runs = 20)
  void chosenRowsGoWholeToTheirPlaces(Random random) {
    for (int width : new int[] {32, 33, 39, 64, 65, 5000}) {
      int rows = 1 + random.nextInt(width > 1000 ? 60 : 3000);
      int[] chosen = IntStream.range(0, rows).filter(_ -> random.nextInt(3) == 0).toArray();
      int[] places = places(chosen.length, random);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment target = arena.allocate((long) chosen.length * width * 4);
        MemorySegment strip = arena.allocate(Transpose.stripBytes(width));
        MemorySegment[] columns = new MemorySegment[width];
        for (int j = 0; j < width; j++) {
          columns[j] = arena.allocate(rows * 4L);
          for (int row = 0; row < rows; row++) {
            columns[j].setAtIndex(INT, row, value(row, j));
          }
        }

        Transpose.floats(columns, chosen, places, 0, chosen.length, strip, target);

        long wrong = 0;
        for (int i = 0; i < chosen.length; i++) {
          for (int j = 0; j < width; j++) {
            int found = target.getAtIndex(INT, (long) places[i] * width + j);
            wrong += found == value(chosen[i], j) ? 0 : 1;
          }
        }
        assertThat(wrong).as("wrong values of [%s, %s]", rows, width).isZero();
      }
    }
  }

  @Test
  void chosenRowOutsideOfTheColumnsIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = new MemorySegment[40];
      Arrays.setAll(columns, j -> arena.allocate(j == 17 ? 36 : 40));
      MemorySegment strip = arena.allocate(Transpose.stripBytes(40));
      MemorySegment target = arena.allocate(2 * 160);
      for (int wrong : new int[] {-1, 9, 10}) {
        assertThatThrownBy(() ->
                Transpose.floats(
                    columns, new int[] {1, wrong}, new int[] {0, 1}, 0, 2, strip, target))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  private static int[] places(int rows, Random random) {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, rows).boxed().toList());
    Collections.shuffle(numbers, random);
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void aPlaceOutsideOfTheTargetIsRefused() {
    for (int width : new int[] {2, 40}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment[] columns = new MemorySegment[width];
        Arrays.setAll(columns, j -> arena.allocate(40));
        MemorySegment strip = arena.allocate(Transpose.stripBytes(width));
        MemorySegment target = arena.allocate(width * 40L);
        for (int wrong : new int[] {-1, 10}) {
          int[] places = {0, 1, 2, 3, 4, 5, 6, 7, 8, wrong};
          assertThatThrownBy(() -> Transpose.floats(columns, places, 0, 10, strip, target))
              .isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
    }
  }

  private static int value(int row, int column) {
    return (row + column) % 13 == 0 ? SIGNALLING_NAN : row * 31 + column * 1_000_003;
  }

  @Test
  void aColumnWithTooFewRowsIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = {arena.allocate(40), arena.allocate(36)};
      MemorySegment target = arena.allocate(80);
      assertThatThrownBy(() -> Transpose.floats(columns, 0, 10, target, columns.length * 4L))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aTargetWithTooFewRowsIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = {arena.allocate(64)};
      MemorySegment target = arena.allocate(60);
      assertThatThrownBy(() -> Transpose.floats(columns, 0, 16, target, columns.length * 4L))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
