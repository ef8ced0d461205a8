package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArrowColumnTest {
  private final Arena arena = Arena.ofAuto();
  private final MemoryMeter meter = new MemoryMeter();
  private final BatchMemory memory = new BatchMemory(meter, 64);
  private final ArrowColumn column =
      new ArrowColumn(
          new ArrowPlan(
              new Field("c", new DataType.Utf8(), true), 0, new NullHandling.Keep(), -1, -1, 1),
          10,
          memory.take().segment(),
          memory);

  /// Returns the rows "a", "bc", "", "def".
  private ColumnSlice texts() {
    return ColumnSlice.variable(
        new DataType.Utf8(), 4, 0, null, bytes("abcdef"), ints(0, 1, 3, 3, 6));
  }

  private MemorySegment bytes(String text) {
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
  }

  private MemorySegment ints(int... values) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, values);
  }

  private static String text(ColumnSlice rows) {
    return new String(rows.values().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  private static int[] offsets(ColumnSlice rows) {
    assertThat(rows.offsets()).isNotNull();
    return rows.offsets().toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void partThatIsAllRowsStaysWhereItIs() {
    column.copy(texts(), 1, 3, 0);
    long used = meter.used();
    long bytes = column.bytes();
    ColumnSlice whole = column.whole(3);
    assertThat(text(whole)).isEqualTo("bcdef");
    assertThat(offsets(whole)).containsExactly(0, 2, 2, 5);
    assertThat(column.whole(3)).isSameAs(whole);
    assertThat(meter.used()).isEqualTo(used);
    assertThat(column.bytes()).isEqualTo(bytes);
  }

  @Test
  void partsAreJoinedInTheOrderOfTheirRows() {
    column.copy(texts(), 3, 1, 4);
    column.copy(texts(), 0, 4, 0);
    ColumnSlice whole = column.whole(5);
    assertThat(text(whole)).isEqualTo("abcdefdef");
    assertThat(offsets(whole)).containsExactly(0, 1, 3, 3, 6, 9);
    assertThat(whole.nullCount()).isZero();
    column.release();
    assertThat(column.bytes()).isZero();
  }

  @Test
  void missingRowsAreNamed() {
    column.copy(texts(), 0, 2, 0);
    column.copy(texts(), 0, 2, 3);
    assertThatIllegalStateException()
        .isThrownBy(() -> column.whole(5))
        .withMessage("Row 2 of column 'c' is missing.");
  }

  @Test
  void entriesOfADictionaryAreWrittenOutAndNullsHaveNone() {
    TextDictionary dictionary = new TextDictionary(2, bytes("xxyyy"), ints(0, 2, 5));
    MemorySegment validity = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 0b1101);
    ColumnSlice coded =
        ColumnSlice.coded(new DataType.Utf8(), 4, 1, validity, ints(1, 0, 0, 1), dictionary);
    column.copy(coded, 0, 4, 0);
    ColumnSlice whole = column.whole(4);
    assertThat(text(whole)).isEqualTo("yyyxxyyy");
    assertThat(offsets(whole)).containsExactly(0, 3, 3, 5, 8);
    assertThat(whole.nullCount()).isEqualTo(1);
  }

  @Test
  void moreBytesThanOffsetsReachAreRefusedBeforeMemoryIsTaken() {
    int rows = 8192;
    TextDictionary large = new TextDictionary(1, arena.allocate(1 << 20), ints(0, 1 << 20));
    ColumnSlice coded =
        ColumnSlice.coded(new DataType.Utf8(), rows, 0, null, arena.allocate(rows * 4L, 4), large);
    long peak = meter.peak();
    assertThatIllegalStateException()
        .isThrownBy(() -> column.copy(coded, 0, rows, 0))
        .withMessage(
            "one column's strings, binaries or elements in one batch are 8589934592 bytes or"
                + " elements, but Arrow's offsets have 32 bits. Use a smaller batchSize");
    assertThat(meter.peak()).isEqualTo(peak);
  }
}
