package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class OrcColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
