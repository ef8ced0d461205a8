package dev.penstock.blackbox;

class RowsSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
