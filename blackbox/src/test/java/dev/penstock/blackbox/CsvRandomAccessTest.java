package dev.penstock.blackbox;

class CsvRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
