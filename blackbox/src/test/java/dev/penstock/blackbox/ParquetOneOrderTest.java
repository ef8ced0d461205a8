package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(14)
class ParquetOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
