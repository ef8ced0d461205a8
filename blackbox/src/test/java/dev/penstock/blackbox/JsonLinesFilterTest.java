package dev.penstock.blackbox;

class JsonLinesFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
