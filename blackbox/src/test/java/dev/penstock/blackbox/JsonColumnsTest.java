package dev.penstock.blackbox;

class JsonColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
