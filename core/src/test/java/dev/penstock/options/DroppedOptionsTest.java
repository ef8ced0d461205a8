package dev.penstock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Options that a function sets without returning them.
class DroppedOptionsTest {
  private static final StructuredDataset FILES = new StructuredDataset("absent");
  private static final MapDataset<Integer> ROWS = Datasets.ofList(List.of(1, 2, 3));
  private static final IterableDataset<Integer> STREAM = Datasets.ofStreams(() -> Stream.of(1, 2));

  private static void assertRefused(ThrowingCallable making) {
    assertThatThrownBy(making)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot make a loader: its function sets options but returns the ones that it was"
                + " given, which stay as they are. Return what the last setting returns, as in o ->"
                + " o.batchSize(512).shuffle(true).");
  }

  @Test
  @SuppressWarnings("CheckReturnValue")
  void optionsThatAreDroppedAreRefused() {
    assertRefused(() ->
        DataLoader.of(
            FILES,
            o -> {
              o.batchSize(7);
              return o;
            }));
    assertRefused(() ->
        DataLoader.of(
            FILES,
            o -> {
              o.record(true);
              return o;
            }));
    assertRefused(() ->
        DataLoader.of(
            ROWS,
            o -> {
              o.collate((rows, _) -> rows);
              return o;
            }));
    assertRefused(() ->
        DataLoader.of(
            STREAM,
            o -> {
              o.workers(2).batchSize(2);
              return o;
            }));
  }

  @Test
  void whatSetsNothingOrReturnsOtherOptionsIsFine() {
    LoaderOptions own = LoaderOptions.defaults().batchSize(3);
    for (UnaryOperator<LoaderOptions> change :
        List.<UnaryOperator<LoaderOptions>>of(
            UnaryOperator.identity(), o -> o.batchSize(7).workers(1), _ -> own)) {
      DataLoader.of(FILES, change).close();
    }
    int size = LoaderOptions.defaults(o -> o).batching().size(); // which reads them
    assertThat(LoaderOptions.defaults(o -> o.batching().size() == size ? o : own).text())
        .isEqualTo(LoaderOptions.defaults().text());
    DataLoader.of(ROWS, o -> o).close();
    DataLoader.of(STREAM, o -> o).close();
  }
}
