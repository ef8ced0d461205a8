package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.RowColumns;
import dev.penstock.batch.Tensor;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubsetTest {
  private final AskedRows rows = new AskedRows(10, 5);

  @Test
  void rowsAreTheChosenOnes() throws IOException {
    long[] indices = {4, 0, 4};
    Subset<Integer> subset = Subset.of(rows, indices);
    indices[0] = 1;
    assertThat(subset.size()).isEqualTo(3);
    assertThat(subset.get(0)).isEqualTo(14);
    assertThat(subset.get(1)).isEqualTo(10);
    assertThat(subset.indices()).containsExactly(4, 0, 4);
    assertThatThrownBy(() -> subset.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> subset.getAll(new long[] {1L << 32}))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void batchIsAskedForTogetherThroughSubsetsOfSubsets() throws IOException {
    Subset<Integer> subset = Subset.of(Subset.of(rows, 4, 3, 2), 2, 0);
    assertThat(subset.getAll(new long[] {1, 0})).containsExactly(14, 12);
    assertThat(rows.asked).containsExactly("[4, 2]");
  }

  @Test
  void columnsOfTensorsSurviveSubsetsAndConcatenation() throws IOException {
    TensorDataset<List<Tensor>> tensors = TensorDataset.of(Tensor.of(new int[] {1, 2, 3}));
    Subset<List<Tensor>> subset = Subset.of(ConcatDataset.of(tensors, tensors), 5, 4, 0);
    assertThat(subset.getAll(new long[] {1, 0})).isInstanceOf(RowColumns.class);
    assertThat(subset.getAll(new long[] {1, 2})).isNotInstanceOf(RowColumns.class);
  }

  @Test
  void rowThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> Subset.of(rows, 0, 5))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("Cannot make a subset: index 1 is 5 but must be in [0, 5).");
    assertThatThrownBy(() -> Subset.of(rows, -1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
