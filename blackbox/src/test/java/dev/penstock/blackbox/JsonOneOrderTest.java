package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(5)
class JsonOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
