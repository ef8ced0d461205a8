package dev.penstock.blackbox;

class RowsOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
