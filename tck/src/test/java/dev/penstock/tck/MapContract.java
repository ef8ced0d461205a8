package dev.penstock.tck;

import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;

/// The contract of [MapStorage], which [StorageContractTest] runs.
class MapContract extends StorageContract {
  @Override
  protected Storage storage() {
    return new MapStorage();
  }

  @Override
  protected Location put(String path, byte[] content) {
    MapStorage.FILES.put("map://" + path, content.clone());
    return new Location("map://" + path);
  }

  @Override
  protected boolean creates() {
    return true;
  }

  @Override
  protected void delete(String path) {
    MapStorage.FILES.remove("map://" + path);
  }
}
