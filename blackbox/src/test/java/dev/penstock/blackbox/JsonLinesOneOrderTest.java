package dev.penstock.blackbox;

class JsonLinesOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
