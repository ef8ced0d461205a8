package dev.penstock.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChainDatasetTest {
  private final List<String> events = new ArrayList<>();

  private IterableDataset<Integer> rows(String name, int from, int count) {
    return Datasets.ofIterators(() -> new CountedRows(name, from, count, events));
  }

  @Test
  void rowsComeOneDatasetAfterAnother() {
    ChainDataset<Integer> chain =
        ChainDataset.of(rows("a", 0, 2), rows("b", 10, 0), rows("c", 20, 1));
    assertThat(chain).containsExactly(0, 1, 20);
    assertThat(events)
        .containsExactly("open a", "close a", "open b", "close b", "open c", "close c");
    assertThat(chain).as("again from the start").containsExactly(0, 1, 20);
    assertThat(ChainDataset.of()).isEmpty();
  }

  @Test
  void datasetIsOpenedWhenTheOneBeforeHasEnded() throws Exception {
    Iterator<Integer> rows = ChainDataset.of(rows("a", 0, 2), rows("b", 10, 1)).iterator();
    assertThat(events).isEmpty();
    rows.next();
    rows.next();
    assertThat(events).containsExactly("open a");
    assertThat(rows.next()).isEqualTo(10);
    ((AutoCloseable) rows).close();
    ((AutoCloseable) rows).close();
    assertThat(events).containsExactly("open a", "close a", "open b", "close b");
    assertThat(rows.hasNext()).isFalse();
    assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void sizeIsTheSumWhereAllAreKnown() {
    IterableDataset<Long> known = Sharing.byBlock(Datasets.range(4));
    assertThat(ChainDataset.of(known, known).size()).isEqualTo(OptionalLong.of(8));
    assertThat(ChainDataset.<Number>of(known, rows("a", 0, 1)).size()).isEmpty();
  }

  @Test
  void streamIsClosedAtItsEndOrBefore() throws Exception {
    IterableDataset<Integer> dataset =
        Datasets.ofStreams(() -> Stream.of(1, 2).onClose(() -> events.add("close")));
    assertThat(ChainDataset.of(dataset, dataset)).containsExactly(1, 2, 1, 2);
    assertThat(events).containsExactly("close", "close");
    Iterator<Integer> rows = dataset.iterator();
    rows.next();
    ((AutoCloseable) rows).close();
    assertThat(events).hasSize(3);
    assertThat(rows.hasNext()).isFalse();
  }
}
