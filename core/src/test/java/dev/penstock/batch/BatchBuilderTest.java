package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.TestPieces;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchBuilderTest {
  private final TestPieces memory = new TestPieces();
  private final BatchBuilder builder = new BatchBuilder(memory);

  @Test
  void batchHasTheColumnsInTheOrderAdded() {
    builder.tensor("x", DType.INT32, Shape.of(2)).memory().setAtIndex(ValueLayout.JAVA_INT, 1, 7);
    builder.list("s", new StringList(new String[] {"a", "b"}));
    RaggedTensor lists = builder.ragged("r", DType.INT64, new long[] {0, 2});
    lists.values().memory().setAtIndex(ValueLayout.JAVA_LONG, 1, 9);
    try (Batch batch = builder.build(2)) {
      assertThat(batch.names()).containsExactly("x", "s", "r");
      assertThat(batch.rowCount()).isEqualTo(2);
      assertThat(batch.tensor("x").getInt(1)).isEqualTo(7);
      assertThat(batch.strings("s")).containsExactly("a", "b");
      assertThat(batch.ragged("r").row(1).getLong(1)).isEqualTo(9);
    }
  }

  @Test
  void memoryGoesBackOnceWhenTheBatchIsClosed() {
    builder.tensor("x", DType.FLOAT32, Shape.of(1, 3));
    builder.ragged("r", DType.INT64, new long[] {4});
    Batch batch = builder.build(1);
    builder.close();
    builder.close();
    assertThat(memory.held()).isEqualTo(3);
    batch.close();
    batch.close();
    builder.close();
    assertThat(memory.held()).isZero();
    assertThatThrownBy(() -> batch.tensor("x")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryGoesBackOnceWhenNoBatchIsMade() {
    Tensor tensor = builder.tensor("x", DType.FLOAT32, Shape.of(1, 3));
    builder.close();
    builder.close();
    assertThat(memory.held()).isZero();
    assertThatThrownBy(() -> tensor.getFloat(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryThatRunsOutLeavesNothingBehind() {
    TestPieces scarce = new TestPieces(2);
    try (BatchBuilder poor = new BatchBuilder(scarce)) {
      poor.tensor("x", DType.FLOAT32, Shape.of(3));
      assertThatThrownBy(() -> poor.ragged("r", DType.INT8, new long[] {1, 1, 1}))
          .hasMessage("No memory after 2 pieces.");
      assertThat(scarce.held()).isEqualTo(2);
    }
    assertThat(scarce.held()).isZero();
  }

  @Test
  void nothingIsAddedAfterTheBatchIsMadeOrTheBuilderClosed() {
    Batch batch = builder.build(0);
    assertThatThrownBy(() -> builder.tensor("late", DType.INT8, Shape.of(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot add column 'late' to the batch: it was made");
    assertThatThrownBy(() -> builder.build(0)).isInstanceOf(IllegalStateException.class);
    batch.close();

    BatchBuilder closed = new BatchBuilder(memory);
    closed.close();
    assertThatThrownBy(() -> closed.tensor("late", DType.INT8, Shape.of(0)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.build(0)).isInstanceOf(IllegalStateException.class);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void columnsThatDoNotFitAreRefusedAndTheMemoryGoesBack() {
    builder.tensor("x", DType.INT32, Shape.of(2, 5));
    assertThatThrownBy(() -> builder.list("x", List.of()))
        .hasMessage("Cannot add column 'x' to the batch: there is one of that name.");
    assertThatThrownBy(() -> builder.ragged("r", DType.INT8, new long[] {1, -1}))
        .hasMessage("Cannot add column 'r' to the batch: row 1 has length -1.");
    assertThatThrownBy(() -> builder.build(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make a batch of 3 rows: column 'x' has 2 rows.");
    builder.tensor("scalar", DType.INT8, Shape.of());
    assertThatThrownBy(() -> builder.build(2))
        .hasMessage("Cannot make a batch of 2 rows: column 'scalar' has no row axis.");
    builder.close();
    assertThat(memory.held()).isZero();
  }

  @Test
  void listsAreUnmodifiable() {
    builder.list("l", new java.util.ArrayList<>(List.of(1)));
    try (Batch batch = builder.build(1)) {
      assertThatThrownBy(() -> batch.list("l").clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }
}
