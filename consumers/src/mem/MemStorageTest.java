// @start region=mem-storage-test
package com.example.mem;

import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import dev.penstock.tck.StorageContract;

class MemStorageTest extends StorageContract {
  @Override
  protected Storage storage() {
    return new MemStorage();
  }

  @Override
  protected Location put(String path, byte[] content) {
    Location location = new Location("mem://" + path);
    MemStorage.put(location, content);
    return location;
  }

  @Override
  protected void delete(String path) {
    MemStorage.delete(new Location("mem://" + path));
  }

  @Override
  protected boolean creates() {
    return true;
  }
}
// @end
