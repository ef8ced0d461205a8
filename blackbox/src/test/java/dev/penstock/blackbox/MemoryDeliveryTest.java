package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class MemoryDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), Stores::memory);
  }
}
