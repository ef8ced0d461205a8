package dev.penstock.blackbox;

class ParquetSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
