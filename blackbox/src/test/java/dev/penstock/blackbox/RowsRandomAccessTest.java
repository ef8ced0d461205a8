package dev.penstock.blackbox;

class RowsRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
