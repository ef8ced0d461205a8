package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackDatasetTest {
  private final AskedRows numbers = new AskedRows(10, 3);
  private final MapDataset<String> texts = Datasets.ofList(List.of("a", "b", "c"));

  @Test
  void rowIsAListOfTheRows() throws IOException {
    StackDataset<List<Object>> stack = StackDataset.of(numbers, texts);
    assertThat(stack.size()).isEqualTo(3);
    assertThat(stack.get(1)).containsExactly(11, "b");
  }

  @Test
  void rowOfNamedDatasetsIsAMap() throws IOException {
    Map<String, MapDataset<?>> named = new LinkedHashMap<>();
    named.put("n", numbers);
    named.put("text", texts);
    assertThat(StackDataset.of(named).get(2)).hasToString("{n=12, text=c}");
  }

  @Test
  void batchAsksEachDatasetOnce() throws IOException {
    assertThat(StackDataset.of(numbers, texts).getAll(new long[] {2, 0}))
        .hasToString("[[12, c], [10, a]]");
    assertThat(numbers.asked).containsExactly("[2, 0]");
  }

  @Test
  void datasetsOfDifferentSizesAreRefused() {
    assertThatThrownBy(() -> StackDataset.of(texts, Datasets.range(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot stack datasets: '1' has 2 rows but '0' has 3. All must have the same size.");
    assertThatThrownBy(() -> StackDataset.of())
        .hasMessage("Cannot stack datasets: there is none. Give at least one.");
  }
}
