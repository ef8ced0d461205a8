package dev.penstock.blackbox;

class CsvOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
