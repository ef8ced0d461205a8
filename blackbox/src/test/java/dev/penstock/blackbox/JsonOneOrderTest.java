package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(10)
class JsonOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
