package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(5)
class MemoryOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), Stores::memory);
  }
}
