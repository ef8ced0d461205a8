package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.score.ScoreCheck;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import dev.penstock.tck.StorageContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract that stores of others are tested by, with each of ours.
@ParameterizedClass(name = "{0}")
@MethodSource("stores")
class StorageContractTest extends StorageContract {
  @Parameter private ContractStore store;

  static List<ContractStore> stores() {
    return ContractStore.all();
  }

  @BeforeParameterizedClassInvocation
  static void open(ContractStore store) throws IOException {
    store.open();
  }

  @Override
  protected Storage storage() {
    return store.storage();
  }

  @Override
  protected Location put(String path, byte[] content) throws IOException {
    return store.put(path, content);
  }

  @Override
  protected void delete(String path) throws IOException {
    store.delete(path);
  }

  @Override
  protected boolean hasFolders() {
    return store.hasFolders();
  }

  @Override
  protected boolean creates() {
    return store.creates();
  }

  @Override
  protected StructuredDataset open(List<String> locations) {
    StructuredDataset dataset = new StructuredDataset(locations);
    for (Map.Entry<String, String> option : store.options().entrySet()) {
      dataset = dataset.storageOption(option.getKey(), option.getValue());
    }
    return dataset;
  }

  /// Each part of the scores is a file that is created whole, under a condition.
  @Test
  void scoresOfRowsInTheStoreAreWrittenThereOnce() throws Exception {
    assumeTrue(creates(), "the store only reads");
    StringBuilder rows = new StringBuilder("id,x\n");
    for (int id = 0; id < 100; id++) {
      rows.append(id).append(',').append(id * 2).append('\n');
    }
    Location table = put("scored/0.csv", rows.toString().getBytes(StandardCharsets.UTF_8));
    String out = table.text().replace("scored/0.csv", "scores");
    StructuredDataset dataset = open(List.of(table.text()));
    Scorer scorer =
        Scorer.of(dataset, batch -> Map.of("same", batch.tensor("x"))).keys("id").partRows(30);
    for (Map.Entry<String, String> option : store.options().entrySet()) {
      scorer = scorer.storageOption(option.getKey(), option.getValue());
    }
    assertThat(scorer.rank(new Rank(1, 2)).writeTo(out).parts()).isEqualTo(2);
    ScoreResult rest = scorer.rank(new Rank(0, 1)).writeTo(out);
    assertThat(rest.found()).isEqualTo(2);
    assertThat(rest.isComplete()).isTrue();
    assertThat(scorer.check(out)).isEqualTo(new ScoreCheck(4, 100, 0));
    try (DataLoader loader = DataLoader.of(open(List.of(out)))) {
      assertThat(Delivery.ofEpoch(loader).ids())
          .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }
  }
}
