package dev.penstock.blackbox;

class ParquetOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
