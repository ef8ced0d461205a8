package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class JsonLinesOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
