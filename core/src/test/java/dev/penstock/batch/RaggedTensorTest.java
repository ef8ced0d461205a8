package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RaggedTensorTest {
  private final Lease lease = new Lease(() -> {});

  private Tensor ints(int... values) {
    MemorySegment memory = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_INT, values);
    return Tensor.of(DType.INT32, Shape.of(values.length), memory, lease);
  }

  private Tensor longs(long... values) {
    MemorySegment memory = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, values);
    return Tensor.of(DType.INT64, Shape.of(values.length), memory, lease);
  }

  @Test
  void shorterRowsArePadded() {
    RaggedTensor lists = RaggedTensor.of(ints(1, 2, 3), longs(0, 1, 1, 3));
    Tensor padded = lists.padded(-7);
    lease.close();
    assertThat(padded.shape()).isEqualTo(Shape.of(3, 2));
    assertThat((int[]) padded.toArray()).containsExactly(1, -7, -7, -7, 2, 3);
  }

  @Test
  void paddingThatDoesNotFitIsRefused() {
    RaggedTensor lists = RaggedTensor.of(ints(1), longs(0, 1));
    assertThatThrownBy(() -> lists.padded(0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot pad lists of INT32 with 0.5: it does not fit.");
    assertThat((int[]) RaggedTensor.of(ints(), longs(0)).padded(1).toArray()).isEmpty();
    assertThat((long[]) lists.lengths().toArray()).containsExactly(1);
  }

  @Test
  void rowsAreViewsOfTheValues() {
    RaggedTensor lists = RaggedTensor.of(ints(1, 2, 3), longs(0, 1, 1, 3));
    assertThat(lists.rowCount()).isEqualTo(3);
    assertThat(lists.length(0)).isEqualTo(1);
    assertThat(lists.length(1)).isZero();
    assertThat((int[]) lists.row(2).toArray()).containsExactly(2, 3);
    lists.row(2).memory().set(ValueLayout.JAVA_INT, 0, 9);
    assertThat(lists.values().getInt(1)).isEqualTo(9);
    assertThat(lists)
        .hasToString("Ragged tensor INT32 of 3 rows and 3 elements: [[1], [], [9, 3]]");
    lease.close();
    assertThat(lists).hasToString("Ragged tensor INT32 of 3 rows and 3 elements, closed");
  }

  @Test
  void textShowsTheFirstAndLastLists() {
    RaggedTensor lists = RaggedTensor.of(ints(1, 2, 3, 4, 5, 6, 7, 8, 9), longs(0, 7, 7, 8, 8, 9));
    assertThat(lists.toString()).endsWith(" elements: [[1, 2, 3, ..., 5, 6, 7], [], ..., [], [9]]");
    RaggedTensor wrong = RaggedTensor.of(ints(1, 2), longs(0, 5, -3, 2));
    assertThat(wrong.toString()).endsWith(" elements, its memory cannot be read here");
  }

  @Test
  void rowsOfOneLengthAreUniform() {
    assertThat(RaggedTensor.of(ints(1, 2, 3, 4), longs(0, 2, 4)).isUniform()).isTrue();
    assertThat(RaggedTensor.of(ints(), longs(0, 0, 0)).isUniform()).isTrue();
    assertThat(RaggedTensor.of(ints(), longs(0)).isUniform()).isTrue();
    assertThat(RaggedTensor.of(ints(1), longs(0, 0, 1)).isUniform()).isFalse();
  }

  @Test
  void batchGivesUniformRowsAsABlockToo() {
    RaggedTensor uniform = RaggedTensor.of(ints(1, 2, 3, 4), longs(0, 2, 4));
    RaggedTensor empty = RaggedTensor.of(ints(), longs(0, 0, 0));
    Batch batch = Batch.of(2, Map.of("u", uniform, "e", empty), lease);
    assertThat(batch.tensor("u").shape()).isEqualTo(Shape.of(2, 2));
    assertThat(batch.tensor("u").memory()).isEqualTo(uniform.values().memory());
    assertThat(batch.tensor("e").shape()).isEqualTo(Shape.of(2, 0));
    assertThat(batch.ragged("u").values().memory()).isEqualTo(uniform.values().memory());
    assertThat(batch.column("u")).isSameAs(batch.ragged("u"));
  }

  @Test
  void offsetsThatDoNotFitAreRefused() {
    for (Tensor offsets : new Tensor[] {longs(0, 1), longs(1, 2), longs(), ints(0, 2)}) {
      assertThatThrownBy(() -> RaggedTensor.of(ints(1, 2), offsets))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot make a ragged tensor of values Tensor INT32 [2]");
    }
    Tensor matrix = ints(1, 2).shaped(Shape.of(1, 2));
    assertThatThrownBy(() -> RaggedTensor.of(matrix, longs(0, 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closedBatchCannotBeReadThroughIt() {
    RaggedTensor lists = RaggedTensor.of(ints(1), longs(0, 1));
    Tensor row = lists.row(0);
    lease.close();
    assertThatThrownBy(() -> lists.length(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> row.getInt(0)).isInstanceOf(IllegalStateException.class);
  }
}
