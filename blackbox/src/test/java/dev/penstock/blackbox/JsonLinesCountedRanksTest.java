package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(10)
class JsonLinesCountedRanksTest extends CountedRanksContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
