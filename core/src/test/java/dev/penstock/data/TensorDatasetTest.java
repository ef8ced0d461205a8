package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.DType;
import dev.penstock.batch.RowColumns;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestPieces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TensorDatasetTest {
  private static final List<DType> TYPES = List.of(DType.values());

  private final Tensor features = Tensor.of(new float[] {0, 1, 10, 11, 20, 21}, 3, 2);
  private final Tensor labels = Tensor.of(new long[] {7, 8, 9});
  private final TestPieces memory = new TestPieces();

  @Test
  void rowHasAViewOfEachTensor() {
    TensorDataset<List<Tensor>> dataset = TensorDataset.of(features, labels);
    assertThat(dataset.size()).isEqualTo(3);
    List<Tensor> row = dataset.get(1);
    assertThat((float[]) row.get(0).toArray()).containsExactly(10, 11);
    assertThat(row.get(1).shape()).isEqualTo(Shape.of());
    assertThat(row.get(1).getLong(0)).isEqualTo(8);
    assertThatThrownBy(() -> dataset.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> dataset.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void namedTensorsGiveMaps() {
    Map<String, Tensor> named = new LinkedHashMap<>();
    named.put("x", features);
    named.put("label", labels);
    TensorDataset<Map<String, Tensor>> dataset = TensorDataset.of(named);
    assertThat(dataset.get(2).keySet()).containsExactly("x", "label");
    assertThat(dataset.get(2).values()).last().hasToString("Tensor INT64 []: 9");
    try (Batch batch = batch(dataset.getAll(new long[] {2, 0}))) {
      assertThat(batch.names()).containsExactly("x", "label");
      assertThat((float[]) batch.tensor("x").toArray()).containsExactly(20, 21, 0, 1);
      assertThat((long[]) batch.tensor("label").toArray()).containsExactly(9, 7);
    }
  }

  @Test
  void rowsOfABatchAreAListAsWell() {
    List<List<Tensor>> rows = TensorDataset.of(features, labels).getAll(new long[] {2, 2, 0});
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1).get(1).getLong(0)).isEqualTo(9);
    assertThat(rows.get(2).get(1).getLong(0)).isEqualTo(7);
  }

  @Test
  void rowsStayWhenTheIndicesAreUsedAgain() {
    long[] indices = {0, 1};
    List<List<Tensor>> rows = TensorDataset.of(labels).getAll(indices);
    indices[0] = 2;
    assertThat(rows.get(0).getFirst().getLong(0)).isEqualTo(7);
  }

  @Test
  void indexThatIsNoRowIsRefusedBeforeAnythingIsRead() {
    TensorDataset<List<Tensor>> dataset = TensorDataset.of(labels);
    for (long index : new long[] {3, -1, 1L << 32}) {
      assertThatThrownBy(() -> dataset.getAll(new long[] {0, index}))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void tensorsThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> TensorDataset.of(features, Tensor.of(new int[2])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot make a dataset of tensors: tensor '1' has 2 rows but '0' has 3. All must have"
                + " the same first extent.");
    assertThatThrownBy(() -> TensorDataset.of(labels.row(0)))
        .hasMessage("Cannot make a dataset of tensors: tensor '0' is a scalar, without rows.");
    assertThatThrownBy(() -> TensorDataset.of())
        .hasMessage("Cannot make a dataset of tensors: there is none. Give at least one.");
  }

  /// Rows of every width, on the heap and off it, against a copy of bytes one by one.
  @Seeded
  void columnsAreTheRowsAskedFor(Random random) {
    DType dtype = TYPES.get(random.nextInt(TYPES.size()));
    int size = 1 + random.nextInt(40);
    int width = random.nextInt(3) == 0 ? 1 : random.nextInt(20);
    byte[] bytes = new byte[size * width * dtype.bytes()];
    random.nextBytes(bytes);
    long[] indices = random.longs(random.nextInt(60), 0, size).toArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = MemorySegment.ofArray(bytes);
      if (random.nextBoolean()) {
        own = arena.allocate(bytes.length).copyFrom(own);
      }
      Tensor tensor = Tensor.of(dtype, Shape.of(size, width), own);
      try (Batch batch = batch(TensorDataset.of(tensor).getAll(indices))) {
        int rowBytes = width * dtype.bytes();
        byte[] expected = new byte[indices.length * rowBytes];
        for (int i = 0; i < expected.length; i++) {
          expected[i] = bytes[(int) indices[i / rowBytes] * rowBytes + i % rowBytes];
        }
        assertThat(batch.tensor("0").shape()).isEqualTo(Shape.of(indices.length, width));
        byte[] found = batch.tensor("0").memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        assertThat(Arrays.equals(found, expected)).isTrue();
      }
    }
    assertThat(memory.held()).isZero();
  }

  private Batch batch(List<?> rows) {
    try (BatchBuilder builder = new BatchBuilder(memory)) {
      ((RowColumns) rows).addTo(builder);
      return builder.build(rows.size());
    }
  }
}
