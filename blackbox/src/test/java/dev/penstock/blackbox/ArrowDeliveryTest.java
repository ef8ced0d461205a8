package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class ArrowDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new ArrowFiles();
  }
}
