package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class CsvOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
