package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collators;
import dev.penstock.batch.Tensor;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.data.Subset;
import dev.penstock.data.TensorDataset;
import dev.penstock.sample.Generator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The datasets of Java objects and the collators, through a loader.
class ObjectDatasetsTest {
  /// A row as users have them.
  public record Sample(List<Integer> tokens, double weight, String name) {}

  /// Rows whose features are functions of their labels.
  private static TensorDataset<List<Tensor>> tensors(int size) {
    float[] features = new float[size * 3];
    for (int i = 0; i < features.length; i++) {
      features[i] = i;
    }
    long[] labels = LongStream.range(0, size).toArray();
    return TensorDataset.of(Tensor.of(features, size, 3), Tensor.of(labels));
  }

  private static List<Long> labels(MapDataset<List<Tensor>> dataset, int workers) {
    List<Long> labels = new ArrayList<>();
    try (SampleLoader<List<Tensor>, Batch> loader =
        DataLoader.of(
            dataset,
            o -> o.batchSize(7).shuffle(true).generator(new Generator(42)).workers(workers))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            int label = (int) batch.tensor("1").getLong(row);
            assertThat((float[]) batch.tensor("0").row(row).toArray())
                .containsExactly(new float[] {3 * label, 3 * label + 1, 3 * label + 2});
            labels.add((long) label);
          }
        }
      }
    }
    return labels;
  }

  @Test
  void tensorsAreDeliveredInOneOrderWhateverTheWorkers() {
    List<Long> labels = labels(tensors(50), 0);
    assertThat(labels).isNotEqualTo(labels.stream().sorted().toList());
    assertThat(labels.stream().sorted().toList())
        .isEqualTo(LongStream.range(0, 50).boxed().toList());
    assertThat(labels(tensors(50), 2)).isEqualTo(labels);
  }

  @Test
  void splitsTogetherAreAllRows() {
    List<Subset<List<Tensor>>> splits =
        Datasets.randomSplit(tensors(31), new double[] {0.6, 0.4}, new Generator(1));
    List<Long> all = new ArrayList<>();
    splits.forEach(split -> all.addAll(labels(split, 2)));
    assertThat(splits.getFirst().size()).isEqualTo(19);
    assertThat(all).containsExactlyInAnyOrderElementsOf(LongStream.range(0, 31).boxed().toList());
  }

  @Test
  void recordsBecomeColumnsWithListsPadded() {
    List<Sample> samples =
        IntStream.range(0, 5)
            .mapToObj(i -> new Sample(IntStream.range(0, i).boxed().toList(), i / 2.0, "s" + i))
            .toList();
    try (SampleLoader<Sample, Batch> loader =
            DataLoader.of(
                Datasets.ofList(samples),
                o ->
                    o.batchSize(5)
                        .collate(Collators.<Sample>standard().pad("tokens", -1, "length")));
        EpochIterator<Batch> batches = loader.iterator();
        Batch batch = batches.next()) {
      assertThat(batch.names()).containsExactly("tokens", "length", "weight", "name");
      assertThat((int[]) batch.tensor("tokens").row(3).toArray()).containsExactly(0, 1, 2, -1);
      assertThat((long[]) batch.tensor("length").toArray()).containsExactly(0, 1, 2, 3, 4);
      assertThat(batch.tensor("weight").getDouble(3)).isEqualTo(1.5);
      assertThat(batch.strings("name").getLast()).isEqualTo("s4");
    }
  }

  @Test
  void rowThatDoesNotFitFailsItsBatchAndNoOther() {
    List<Object> rows = List.of(1, 2, 3, "four", 5, 6);
    for (int workers : new int[] {0, 2}) {
      try (SampleLoader<Object, Batch> loader =
              DataLoader.of(Datasets.ofList(rows), o -> o.batchSize(2).workers(workers));
          EpochIterator<Batch> batches = loader.iterator()) {
        batches.next().close();
        assertThatThrownBy(batches::next)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(
                "column 'value': row 1 of the batch is a java.lang.String but row 0 is a number");
        try (Batch last = batches.next()) {
          assertThat((int[]) last.tensor("value").toArray()).containsExactly(5, 6);
        }
      }
    }
  }

  @Test
  void sharedRowsComeOnceWhateverTheWayAndTheWorkers() {
    List<Long> rows = LongStream.range(0, 17).boxed().toList();
    List<List<Long>> files = List.of(rows.subList(0, 9), List.of(), rows.subList(9, 17));
    List<IterableDataset<Long>> ways =
        List.of(
            Sharing.byRemainder(Datasets.ofStreams(rows::stream)),
            Sharing.byBlock(Datasets.range(17)),
            Sharing.byFile(files, List::iterator));
    for (IterableDataset<Long> way : ways) {
      for (int workers : new int[] {0, 1, 2, 5}) {
        List<Long> delivered = new ArrayList<>();
        try (SampleLoader<Long, Batch> loader =
            DataLoader.of(way, o -> o.batchSize(4).workers(workers))) {
          for (Batch batch : loader) {
            try (batch) {
              for (long value : (long[]) batch.tensor("value").toArray()) {
                delivered.add(value);
              }
            }
          }
        }
        assertThat(delivered)
            .as("%s, %s workers", way, workers)
            .containsExactlyInAnyOrderElementsOf(rows);
      }
    }
  }

  @Test
  void filesThatAreLeftEarlyAreClosed() {
    AtomicInteger open = new AtomicInteger();
    // Rows without an end.
    class Endless implements Iterator<Long>, AutoCloseable {
      Endless() {
        open.incrementAndGet();
      }

      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public Long next() {
        return 0L;
      }

      @Override
      public void close() {
        open.decrementAndGet();
      }
    }
    try (SampleLoader<Long, Batch> loader =
        DataLoader.of(
            Sharing.byFile(List.of(1, 2, 3), _ -> new Endless()), o -> o.batchSize(2).workers(2))) {
      try (EpochIterator<Batch> batches = loader.iterator()) {
        batches.next().close();
        assertThat(open.get()).isPositive();
      }
    }
    assertThat(open.get()).isZero();
  }
}
