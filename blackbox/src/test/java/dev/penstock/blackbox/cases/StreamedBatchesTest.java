package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The batches of a loader as a stream: who closes them, and when.
class StreamedBatchesTest extends OwnFolder {
  private final List<Batch> seen = new ArrayList<>();
  private DataLoader loader;

  @BeforeEach
  void open() throws IOException {
    loader = DataLoader.of(file("a.csv", "n\n1\n2\n3\n4\n5\n"), o -> o.batchSize(2).workers(1));
  }

  @AfterEach
  void close() {
    loader.close();
  }

  private static long first(Batch batch) {
    return batch.tensor("n").getLong(0);
  }

  private void assertAllClosed(int count) {
    assertThat(seen)
        .hasSize(count)
        .allSatisfy(batch -> {
          assertThatThrownBy(() -> first(batch)).isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  void eachBatchIsClosedBehindTheOperations() {
    Stream<Long> firsts =
        loader.stream()
            .peek(_ -> assertAllClosed(seen.size()))
            .peek(seen::add)
            .map(StreamedBatchesTest::first);
    assertThat(loader.stats().batches()).as("nothing is read before the end").isZero();
    assertThat(firsts.toList()).containsExactly(1L, 3L, 5L);
    assertAllClosed(3);
    assertThat(loader.state().epoch()).isEqualTo(1);
    assertThat(loader.stream().parallel().mapToLong(Batch::rowCount).sum()).isEqualTo(5);
  }

  @Test
  void anExceptionLeavesNoBatchOpen() {
    Stream<Batch> batches = loader.stream().peek(seen::add);
    assertThatThrownBy(() ->
            batches.forEach(batch -> {
              throw new IllegalArgumentException("met " + first(batch));
            }))
        .hasMessage("met 1");
    assertAllClosed(1);
    assertThat(loader.stream().map(StreamedBatchesTest::first).toList())
        .containsExactly(1L, 3L, 5L);
  }

  @Test
  void anEarlyEndLeavesNoBatchOpen() {
    try (Stream<Batch> batches = loader.stream().peek(seen::add)) {
      assertThat(batches.limit(2).mapToLong(StreamedBatchesTest::first).sum()).isEqualTo(4);
    }
    assertAllClosed(2);
    try (Stream<Batch> batches = loader.stream()) {
      seen.add(batches.findFirst().orElseThrow());
    }
    assertAllClosed(3);
    Stream<Batch> left = loader.stream();
    Iterator<Batch> batches = left.iterator();
    seen.add(batches.next());
    left.close();
    assertThat(batches.hasNext()).as("the epoch was ended with its stream").isFalse();
    assertAllClosed(4);
    loader.stream().close();
    assertThat(loader.iterator().epoch()).as("no epoch was started for it").isEqualTo(3);
  }

  @Test
  void resultsOfAFunctionAreClosedToo() {
    List<String> events = new ArrayList<>();
    record Result(long value, List<String> events) implements AutoCloseable {
      @Override
      public void close() {
        events.add("closed " + value);
      }
    }
    try (Loader<Result> collated =
        loader.collate(batch -> {
          try (batch) {
            return new Result(first(batch), events);
          }
        })) {
      collated.stream().forEach(result -> events.add("took " + result.value()));
    }
    assertThat(events)
        .containsExactly("took 1", "closed 1", "took 3", "closed 3", "took 5", "closed 5");
  }

  @Test
  void aLoaderThatIsClosedSaysSo() {
    loader.close();
    assertThatThrownBy(() -> loader.stream().count()).hasMessageContaining("closed");
  }
}
