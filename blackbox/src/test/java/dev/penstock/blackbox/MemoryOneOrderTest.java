package dev.penstock.blackbox;

class MemoryOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), Stores::memory);
  }
}
