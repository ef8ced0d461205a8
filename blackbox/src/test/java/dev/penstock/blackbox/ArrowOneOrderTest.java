package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(5)
class ArrowOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
