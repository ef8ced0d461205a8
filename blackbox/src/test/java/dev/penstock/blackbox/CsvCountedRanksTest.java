package dev.penstock.blackbox;

class CsvCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
