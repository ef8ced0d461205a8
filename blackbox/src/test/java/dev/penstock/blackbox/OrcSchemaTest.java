package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(8)
class OrcSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
