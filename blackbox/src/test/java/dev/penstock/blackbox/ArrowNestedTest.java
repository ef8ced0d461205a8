package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
