package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(8)
class JsonSchemaTest extends SchemaContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
