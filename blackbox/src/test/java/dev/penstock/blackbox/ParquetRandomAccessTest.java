package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ParquetRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
