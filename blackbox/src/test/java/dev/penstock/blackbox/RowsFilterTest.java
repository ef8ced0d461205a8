package dev.penstock.blackbox;

class RowsFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
