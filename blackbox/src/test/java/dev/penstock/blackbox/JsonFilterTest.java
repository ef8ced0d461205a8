package dev.penstock.blackbox;

class JsonFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
