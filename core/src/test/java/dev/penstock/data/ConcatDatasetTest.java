package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConcatDatasetTest {
  private final TorchValues semantics;

  ConcatDatasetTest() throws IOException {
    semantics = TorchValues.read("semantics.json");
  }

  private static final ConcatDataset<Integer> FIVE =
      ConcatDataset.of(Datasets.ofList(List.of(1, 2, 3)), Datasets.ofList(List.of(4, 5)));

  @Test
  void rowsAreTorchs() throws IOException {
    List<Integer> rows = new ArrayList<>();
    for (long index : new long[] {0, 1, 2, 3, 4, -1, -5}) {
      rows.add(FIVE.get(index));
    }
    assertThat(rows).hasToString((String) semantics.get("Concat"));
    assertThat(FIVE.size()).isEqualTo(5);
  }

  @Test
  void indexThatTorchRefusesIsRefused() {
    assertThat((String) semantics.get("Concat[-6]")).startsWith("ValueError");
    assertThat((String) semantics.get("Concat[5]")).startsWith("IndexError");
    for (long index : new long[] {-6, 5, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> FIVE.get(index))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "Cannot get row %s of the concatenated datasets: they have 5 rows. Rows are in [-5,"
                  + " 5).",
              index);
      assertThatThrownBy(() -> FIVE.getAll(new long[] {0, index}))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void batchWithinOneDatasetIsAskedForAsItIs() throws IOException {
    AskedRows first = new AskedRows(0, 3);
    AskedRows second = new AskedRows(100, 3);
    ConcatDataset<Integer> both = ConcatDataset.of(first, second);
    assertThat(both.getAll(new long[] {5, 3, 5})).containsExactly(102, 100, 102);
    assertThat(first.asked).isEmpty();
    assertThat(second.asked).containsExactly("[2, 0, 2]");
  }

  @Test
  void batchOfSeveralDatasetsAsksEachOnce() throws IOException {
    AskedRows first = new AskedRows(0, 3);
    AskedRows second = new AskedRows(100, 3);
    ConcatDataset<Integer> both = ConcatDataset.of(first, new AskedRows(50, 0), second);
    assertThat(both.getAll(new long[] {4, 0, -1, 2, 4})).containsExactly(101, 0, 102, 2, 101);
    assertThat(first.asked).containsExactly("[0, 2]");
    assertThat(second.asked).containsExactly("[1, 2, 1]");
    assertThat(both.getAll(new long[0])).isEmpty();
  }

  @Seeded
  void everyRowIsThatOfTheJoinedList(Random random) throws IOException {
    List<Integer> joined = new ArrayList<>();
    List<MapDataset<Integer>> datasets = new ArrayList<>();
    for (int member = 0; member < 1 + random.nextInt(5); member++) {
      List<Integer> rows = random.ints(random.nextInt(4)).boxed().toList();
      joined.addAll(rows);
      datasets.add(Datasets.ofList(rows));
    }
    ConcatDataset<Integer> all = ConcatDataset.of(datasets);
    assertThat(all.size()).isEqualTo(joined.size());
    for (int i = 0; i < joined.size(); i++) {
      assertThat(all.get(i)).isEqualTo(joined.get(i));
      assertThat(all.get(i - joined.size())).isEqualTo(joined.get(i));
    }
    if (!joined.isEmpty()) {
      long[] indices = random.longs(20, 0, joined.size()).toArray();
      List<Integer> rows = all.getAll(indices);
      for (int i = 0; i < indices.length; i++) {
        assertThat(rows.get(i)).isEqualTo(joined.get((int) indices[i]));
      }
    }
  }

  @Test
  void noDatasetsAreRefused() {
    assertThatThrownBy(() -> ConcatDataset.of(List.<MapDataset<Integer>>of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot concatenate datasets: the list is empty. Give at least one.");
  }

  @Test
  void datasetThatGivesTooFewRowsIsNamed() {
    MapDataset<Integer> lazy =
        new MapDataset<>() {
          @Override
          public long size() {
            return 2;
          }

          @Override
          public Integer get(long index) {
            return 0;
          }

          @Override
          public List<Integer> getAll(long[] indices) {
            return List.of();
          }

          @Override
          public String toString() {
            return "lazy";
          }
        };
    assertThatThrownBy(() -> ConcatDataset.of(lazy, lazy).getAll(new long[] {0, 2}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot use the rows of lazy: getAll gave 0 rows for 1 indices. It must give one for"
                + " each.");
  }
}
