package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(8)
class CsvColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
