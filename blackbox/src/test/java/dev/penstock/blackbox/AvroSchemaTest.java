package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(8)
class AvroSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new AvroFiles();
  }
}
