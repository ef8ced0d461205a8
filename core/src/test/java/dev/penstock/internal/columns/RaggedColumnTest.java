package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.DType;
import dev.penstock.internal.columns.ColumnPlan.RaggedNulls;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedRoom;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool.Slab;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.testing.Seeded;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Lists of bytes: element `e` of the batch has the value `e`, and a mask of `e` modulo 3.
class RaggedColumnTest {
  private static final Field FIELD =
      new Field("c", new DataType.List(new DataType.Int(8, true), true), false);

  private final MemoryMeter meter = new MemoryMeter();
  private final BatchMemory memory = new BatchMemory(meter, 1 << 16);
  private final Slab slab = memory.take();

  @AfterEach
  void everythingIsFreed() {
    slab.release();
    memory.close();
    assertThat(meter.used()).isZero();
  }

  private RaggedColumn column(int rowCount, int length) {
    RaggedRoom room = length == 0 ? RaggedRoom.NONE : new RaggedRoom(length, 128);
    return new RaggedColumn(plan(room), rowCount, slab.segment(), memory);
  }

  private static RaggedPlan plan(RaggedRoom room) {
    RaggedNulls nulls = new RaggedNulls(new NullHandling.Mask(), new NullHandling.Refuse(), -1);
    return new RaggedPlan(FIELD, DType.INT8, 0, nulls, room, 1);
  }

  /// Adds rows as a part, or to the room when all have the expected length.
  private static void add(RaggedColumn column, int[] lengths, int from, int to, int expected) {
    int first = Arrays.stream(lengths, 0, from).sum();
    int elements = Arrays.stream(lengths, from, to).sum();
    RaggedPart room = column.room;
    if (room != null && Arrays.stream(lengths, from, to).allMatch(n -> n == expected)) {
      write(room, from * expected, first, elements);
      return;
    }
    Slab part = column.take(to - from, elements);
    RaggedPart block = new RaggedPart(plan(RaggedRoom.NONE), part.segment(), to - from, elements);
    block.offset(0, 0);
    for (int row = from; row < to; row++) {
      block.offset(row - from + 1, block.offset(row - from) + lengths[row]);
    }
    write(block, 0, first, elements);
    column.add(from, block, part);
  }

  private static void write(RaggedPart block, int at, int value, int count) {
    for (int i = 0; i < count; i++) {
      block.values().set(ValueLayout.JAVA_BYTE, at + i, (byte) (value + i));
      Objects.requireNonNull(block.mask())
          .set(ValueLayout.JAVA_BYTE, at + i, (byte) ((value + i) % 3));
    }
  }

  private static void assertWhole(RaggedColumn column, int[] lengths) {
    RaggedPart whole = column.whole(lengths.length);
    assertThat(whole.rows()).isEqualTo(lengths.length);
    int element = 0;
    for (int row = 0; row < lengths.length; row++) {
      assertThat(whole.offset(row)).isEqualTo(element);
      element += lengths[row];
    }
    assertThat(whole.offset(lengths.length)).isEqualTo(element);
    assertThat(whole.elements()).isEqualTo(element);
    for (int e = 0; e < element; e++) {
      assertThat(whole.values().get(ValueLayout.JAVA_BYTE, e)).isEqualTo((byte) e);
      assertThat(Objects.requireNonNull(whole.mask()).get(ValueLayout.JAVA_BYTE, e))
          .isEqualTo((byte) (e % 3));
    }
  }

  @Seeded(runs = 200)
  void partsInAnyOrderBecomeOneBlock(Random random) {
    int rowCount = 1 + random.nextInt(40);
    int expected = random.nextInt(4);
    int[] lengths = new int[rowCount];
    boolean even = random.nextInt(4) == 0;
    Arrays.setAll(lengths, _ -> even || random.nextInt(3) > 0 ? expected : random.nextInt(6));
    List<int[]> ranges = new ArrayList<>();
    for (int row = 0; row < rowCount; ) {
      int end = row + 1 + random.nextInt(Math.min(10, rowCount - row));
      ranges.add(new int[] {row, end});
      row = end;
    }
    Collections.shuffle(ranges, random);
    RaggedColumn column = column(rowCount, expected);
    ranges.forEach(range -> add(column, lengths, range[0], range[1], expected));
    if (random.nextBoolean()) {
      // A slice that failed comes again row by row.
      int[] again = ranges.get(random.nextInt(ranges.size()));
      for (int row = again[0]; row < again[1]; row++) {
        add(column, lengths, row, row + 1, expected);
      }
    }
    assertWhole(column, lengths);
    assertWhole(column, lengths);
    column.release();
    assertThat(column.bytes()).isZero();
  }

  @Test
  void rowsOfTheExpectedLengthTakeNoMemoryOfTheirOwn() {
    RaggedColumn column = column(4, 3);
    add(column, new int[] {3, 3, 3, 3}, 0, 4, 3);
    assertThat(column.bytes()).isZero();
    assertThat(column.whole(4)).isSameAs(column.room);
  }

  @Test
  void aShorterBatchHasOnlyItsOwnRows() {
    RaggedColumn column = column(4, 3);
    add(column, new int[] {3, 3, 3, 3}, 0, 2, 3);
    RaggedPart whole = column.whole(2);
    assertThat(whole.rows()).isEqualTo(2);
    assertThat(whole.elements()).isEqualTo(6);
    assertThat(whole.offset(2)).isEqualTo(6);
    assertThat(whole.values().get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) 5);
    column.release();
  }

  @Test
  void onePartOfAllRowsIsNotCopied() {
    RaggedColumn column = column(3, 0);
    add(column, new int[] {1, 0, 2}, 0, 3, 0);
    long bytes = column.bytes();
    assertWhole(column, new int[] {1, 0, 2});
    assertThat(column.bytes()).isEqualTo(bytes).isPositive();
    column.release();
  }

  @Test
  void rowsThatAreMissingAreABugNotRubbish() {
    RaggedColumn column = column(3, 0);
    add(column, new int[] {1, 0, 2}, 0, 1, 0);
    assertThatThrownBy(() -> column.whole(3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Rows [1, 3) of column 'c' are missing.");
    column.release();
  }
}
