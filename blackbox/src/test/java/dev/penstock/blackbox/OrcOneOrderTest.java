package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class OrcOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
