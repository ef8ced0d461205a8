package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class OrcFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
