package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(8)
class CsvSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
