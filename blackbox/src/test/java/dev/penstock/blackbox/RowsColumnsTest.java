package dev.penstock.blackbox;

class RowsColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
