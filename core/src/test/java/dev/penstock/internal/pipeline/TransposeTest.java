package dev.penstock.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransposeTest {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "1, 3, 100",
    "3, 0, 15",
    "3, 1, 16",
    "7, 5, 17",
    "64, 11, 1024",
    "130, 2, 33"
  })
  void everyValueComesToItsRowAndColumn(int width, int from, int count) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = new MemorySegment[width];
      for (int j = 0; j < width; j++) {
        columns[j] = arena.allocate((from + count) * 4L);
        for (int i = 0; i < from + count; i++) {
          columns[j].setAtIndex(FLOAT, i, j * 10_000f + i);
        }
      }
      MemorySegment target = arena.allocate((long) count * width * 4);
      Transpose.floats(columns, from, count, target);
      for (int r = 0; r < count; r++) {
        for (int j = 0; j < width; j++) {
          assertThat(target.getAtIndex(FLOAT, (long) r * width + j))
              .isEqualTo(j * 10_000f + from + r);
        }
      }
    }
  }

  @Test
  void nanKeepsItsBits() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment column = arena.allocate(64);
      column.set(ValueLayout.JAVA_INT, 0, 0x7FC0_1234);
      MemorySegment target = arena.allocate(64);
      Transpose.floats(new MemorySegment[] {column}, 0, 16, target);
      assertThat(target.get(ValueLayout.JAVA_INT, 0)).isEqualTo(0x7FC0_1234);
    }
  }

  @Test
  void columnThatIsTooShortIsRefusedBeforeAnyAccess() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = {arena.allocate(64), arena.allocate(60)};
      MemorySegment target = arena.allocate(128);
      assertThatThrownBy(() -> Transpose.floats(columns, 0, 16, target))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Transpose.floats(columns, 1, 15, target))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void targetThatIsTooShortIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] columns = {arena.allocate(64)};
      assertThatThrownBy(() -> Transpose.floats(columns, 0, 16, arena.allocate(60)))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
