package dev.penstock.blackbox;

class MemoryDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), Stores::memory);
  }
}
