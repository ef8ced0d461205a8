package dev.penstock.blackbox.contract;

import dev.penstock.StructuredDataset;
import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import dev.penstock.tck.StorageContract;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
}
