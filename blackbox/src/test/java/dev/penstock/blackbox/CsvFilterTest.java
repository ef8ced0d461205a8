package dev.penstock.blackbox;

class CsvFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
