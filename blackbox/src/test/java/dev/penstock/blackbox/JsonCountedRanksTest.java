package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(10)
class JsonCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
