package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
