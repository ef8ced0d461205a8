package dev.penstock.blackbox;

class JsonRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
