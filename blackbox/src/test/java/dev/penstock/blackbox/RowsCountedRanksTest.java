package dev.penstock.blackbox;

class RowsCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
