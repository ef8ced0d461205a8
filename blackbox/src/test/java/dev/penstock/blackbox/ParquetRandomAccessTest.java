package dev.penstock.blackbox;

class ParquetRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
