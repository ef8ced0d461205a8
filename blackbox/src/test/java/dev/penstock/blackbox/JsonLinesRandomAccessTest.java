package dev.penstock.blackbox;

class JsonLinesRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
