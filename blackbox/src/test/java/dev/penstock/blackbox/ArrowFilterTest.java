package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
