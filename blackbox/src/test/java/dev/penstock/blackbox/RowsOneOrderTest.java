package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class RowsOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
