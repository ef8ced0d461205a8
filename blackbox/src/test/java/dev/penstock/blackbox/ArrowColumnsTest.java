package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
