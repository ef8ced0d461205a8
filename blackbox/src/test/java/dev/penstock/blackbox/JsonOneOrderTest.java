package dev.penstock.blackbox;

class JsonOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
