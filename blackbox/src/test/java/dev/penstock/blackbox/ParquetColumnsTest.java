package dev.penstock.blackbox;

class ParquetColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
