package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
