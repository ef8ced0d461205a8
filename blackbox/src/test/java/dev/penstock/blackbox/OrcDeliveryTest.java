package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class OrcDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new OrcFiles();
  }
}
