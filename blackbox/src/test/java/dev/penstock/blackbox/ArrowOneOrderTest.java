package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
