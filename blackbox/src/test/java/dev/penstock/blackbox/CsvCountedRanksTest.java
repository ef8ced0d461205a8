package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(10)
class CsvCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
