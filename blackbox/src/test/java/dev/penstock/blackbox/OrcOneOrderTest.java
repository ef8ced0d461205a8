package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class OrcOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
