package dev.penstock.blackbox;

class JsonLinesCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
