package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collators;
import dev.penstock.batch.Tensor;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestPieces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Datasets made of datasets: a batch is the same whether its rows are asked for together, as
/// columns where that is possible, or one by one.
class ComposedDatasetsTest {
  private final TestPieces memory = new TestPieces();

  @Seeded(runs = 300)
  void batchAskedForTogetherIsThatOfItsRows(Random random) throws IOException {
    MapDataset<Map<String, Tensor>> rows = composed(random, 3);
    MapDataset<?> dataset =
        random.nextBoolean() ? rows : StackDataset.of(rows, Datasets.range(rows.size()));
    long[] indices = random.longs(1 + random.nextInt(20), 0, dataset.size()).toArray();
    List<Object> single = new ArrayList<>();
    for (long index : indices) {
      single.add(dataset.get(index));
    }
    try (Batch together = collated(dataset.getAll(indices));
        Batch oneByOne = collated(single)) {
      assertThat(together.names()).containsExactlyElementsOf(oneByOne.names());
      for (String name : together.names()) {
        assertThat(together.tensor(name)).hasToString(oneByOne.tensor(name).toString());
        assertThat(together.tensor(name).toArray()).isEqualTo(oneByOne.tensor(name).toArray());
      }
    }
    assertThat(memory.held()).isZero();
  }

  private Batch collated(List<?> rows) {
    try (BatchBuilder builder = new BatchBuilder(memory)) {
      @SuppressWarnings("unchecked") // Only read.
      List<Object> list = (List<Object>) rows;
      return Collators.standard().collate(list, builder);
    }
  }

  private static MapDataset<Map<String, Tensor>> composed(Random random, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      return tensors(random);
    }
    if (kind == 1) {
      MapDataset<Map<String, Tensor>> inner = composed(random, depth - 1);
      return Subset.of(inner, random.longs(1 + random.nextInt(9), 0, inner.size()).toArray());
    }
    return ConcatDataset.of(
        IntStream.range(0, 1 + random.nextInt(3))
            .mapToObj(_ -> composed(random, depth - 1))
            .toList());
  }

  private static MapDataset<Map<String, Tensor>> tensors(Random random) {
    int size = 1 + random.nextInt(9);
    float[] features = new float[size * 3];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextFloat();
    }
    Map<String, Tensor> columns = new LinkedHashMap<>();
    columns.put("x", Tensor.of(features, size, 3));
    columns.put("label", Tensor.of(random.longs(size).toArray()));
    columns.put("part", Tensor.of(random.ints(size * 4L).toArray(), size, 2, 2));
    return TensorDataset.of(columns);
  }
}
