package dev.penstock.blackbox;

class JsonCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
