package dev.penstock.internal.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.storage.Location;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EarlyRowsTest {
  private static final Schema SCHEMA = Schema.of(List.of(new Field("n", DataType.int64(), false)));
  private static final ColumnGroup GROUP = new ColumnGroup(0, SCHEMA, List.of());

  /// Rows `first`, `first + 1`, … with their own numbers as values.
  private record Numbers(long first, int count) implements Rows {
    @Override
    public Location file() {
      return new Location("file");
    }

    @Override
    public ColumnSlice column(int index) {
      long[] values = LongStream.range(first, first + count).toArray();
      return ColumnSlice.fixed(DataType.int64(), count, 0, null, MemorySegment.ofArray(values));
    }

    @Override
    public long fileRow(int index) {
      return first + index;
    }

    @Override
    public long end() {
      return first + count;
    }
  }

  private static long[] values(@Nullable Rows rows) {
    assertThat(rows).isNotNull();
    return rows.column(0).values().asSlice(0, 8L * rows.count()).toArray(ValueLayout.JAVA_LONG);
  }

  @Test
  void comeOutAsTheyWentInAndAreFullAtTheirBound() {
    TestMemory memory = new TestMemory(1 << 20);
    EarlyRows staged = new EarlyRows(memory, 3000, false);
    for (int block = 0; block < 3; block++) {
      assertThat(staged.isFull()).as("after %s blocks of 1000 bytes", block).isFalse();
      staged.add(GROUP, new Numbers(1000L * block, 125));
    }
    assertThat(staged.isFull()).isTrue();
    assertThat(values(staged.poll())).containsExactly(LongStream.range(0, 125).toArray());
    // What was handed out is still held.
    assertThat(staged.isFull()).isTrue();
    assertThat(values(staged.poll())).containsExactly(LongStream.range(1000, 1125).toArray());
    assertThat(staged.isFull()).isFalse();
    staged.add(GROUP, new Numbers(9000, 2));
    assertThat(values(staged.poll())).containsExactly(LongStream.range(2000, 2125).toArray());
    assertThat(values(staged.poll())).containsExactly(9000, 9001);
    assertThat(staged.poll()).isNull();
    assertThat(staged.isEmpty()).isTrue();
    staged.release();
    assertThat(memory.takenBytes()).isZero();
  }

  @Test
  void clearedRowsLeaveRoomAndReleasedOnesNoMemory() {
    TestMemory memory = new TestMemory(1 << 20);
    EarlyRows staged = new EarlyRows(memory, 1000, false);
    staged.add(GROUP, new Numbers(0, 125));
    staged.add(GROUP, new Numbers(125, 125));
    assertThat(staged.poll()).isNotNull();
    staged.clear();
    assertThat(staged.isFull()).isFalse();
    assertThat(staged.isEmpty()).isTrue();
    long held = memory.takenBytes();
    staged.add(GROUP, new Numbers(0, 125));
    assertThat(memory.takenBytes()).as("memory is used again").isEqualTo(held);
    staged.release();
    assertThat(memory.takenBytes()).isZero();
  }
}
