package dev.penstock.blackbox;

class JsonLinesColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
