package dev.penstock.blackbox;

class ParquetNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
