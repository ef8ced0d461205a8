package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class AvroOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new AvroFiles();
  }
}
