package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.sample.Generator;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SharingTest {
  private final List<String> events = new ArrayList<>();

  /// Returns the rows of each worker.
  private static <T> List<List<T>> rows(IterableDataset<T> dataset, int workers) {
    List<List<T>> all = new ArrayList<>();
    for (int id = 0; id < workers; id++) {
      all.add(worker(id, workers).call(() -> allOf(dataset)));
    }
    return all;
  }

  private static WorkerInfo worker(int id, int workers) {
    return new WorkerInfo(id, workers, id, 0, "test", new Generator(id));
  }

  private static <T> List<T> allOf(Iterable<T> dataset) {
    List<T> rows = new ArrayList<>();
    dataset.forEach(rows::add);
    return rows;
  }

  private IterableDataset<Integer> seven() {
    return Datasets.ofIterators(() -> new CountedRows("seven", 0, 7, events));
  }

  @Test
  void remainderGivesEveryNthRow() {
    assertThat(rows(Sharing.byRemainder(seven()), 3)).hasToString("[[0, 3, 6], [1, 4], [2, 5]]");
    assertThat(events).filteredOn("close seven"::equals).hasSize(3);
    assertThat(rows(Sharing.byRemainder(seven()), 9))
        .hasToString("[[0], [1], [2], [3], [4], [5], [6], [], []]");
  }

  @Test
  void blocksAreRunsOfWhichTheFirstAreLongerByOne() {
    assertThat(rows(Sharing.byBlock(Datasets.range(8)), 3))
        .hasToString("[[0, 1, 2], [3, 4, 5], [6, 7]]");
    assertThat(rows(Sharing.byBlock(Datasets.range(2)), 3)).hasToString("[[0], [1], []]");
  }

  @Test
  void filesAreOpenedByOneWorkerEachAndClosed() {
    IterableDataset<Integer> files =
        Sharing.byFile(
            List.of(10, 20, 30, 40), file -> new CountedRows("" + file, file, 2, events));
    assertThat(rows(files, 3)).hasToString("[[10, 11, 40, 41], [20, 21], [30, 31]]");
    assertThat(events)
        .containsExactly(
            "open 10",
            "close 10",
            "open 40",
            "close 40",
            "open 20",
            "close 20",
            "open 30",
            "close 30");
    assertThat(rows(files, 5).getLast()).isEmpty();
  }

  @Test
  void withoutWorkersAllRowsCome() {
    assertThat(Sharing.byRemainder(seven())).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(Sharing.byBlock(Datasets.range(3))).containsExactly(0L, 1L, 2L);
    assertThat(Sharing.byFile(List.of(1, 2), file -> List.of(file, -file).iterator()))
        .containsExactly(1, -1, 2, -2);
  }

  @Test
  void sizeIsThatOfAllWorkersTogether() {
    IterableDataset<Long> range = Sharing.byBlock(Datasets.range(8));
    assertThat(worker(1, 3).call(range::size)).hasValue(8);
    assertThat(worker(1, 3).call(Sharing.byRemainder(range)::size)).hasValue(8);
    assertThat(Sharing.byFile(List.of(1), file -> List.of(file).iterator()).size()).isEmpty();
  }

  @Test
  void iteratorThatIsLeftEarlyIsClosed() throws Exception {
    Iterator<Integer> remainder = worker(0, 2).call(() -> Sharing.byRemainder(seven()).iterator());
    remainder.next();
    ((AutoCloseable) remainder).close();
    assertThat(remainder.hasNext()).isFalse();
    Iterator<Integer> files =
        Sharing.byFile(List.of(1, 2), file -> new CountedRows("" + file, 0, 5, events)).iterator();
    files.next();
    ((AutoCloseable) files).close();
    assertThat(files.hasNext()).isFalse();
    assertThat(events).containsExactly("open seven", "close seven", "open 1", "close 1");
  }

  @Test
  void sourceThatCannotBeOpenedIsNamed() {
    IterableDataset<Integer> files =
        Sharing.byFile(
            List.of("a.csv"),
            file -> {
              throw new IOException("no such file");
            });
    assertThatThrownBy(() -> allOf(files))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("Cannot open 'a.csv': no such file");
  }

  @Seeded
  void workersTogetherGiveEveryRowOnce(Random random) {
    int size = random.nextInt(50);
    int workers = 1 + random.nextInt(8);
    List<Long> expected = LongStream.range(0, size).boxed().toList();
    List<Integer> files = IntStream.range(0, size).boxed().toList();
    List<IterableDataset<Long>> ways =
        List.of(
            Sharing.byRemainder(Datasets.ofIterators(expected::iterator)),
            Sharing.byBlock(Datasets.ofList(expected)),
            Sharing.byFile(files, file -> List.of((long) file).iterator()));
    for (IterableDataset<Long> way : ways) {
      List<List<Long>> shares = rows(way, workers);
      assertThat(shares.stream().flatMap(List::stream).sorted().toList()).isEqualTo(expected);
      for (List<Long> share : shares) {
        assertThat(share).isSorted();
        assertThat(share.size()).isBetween(size / workers, size / workers + 1);
      }
    }
  }
}
