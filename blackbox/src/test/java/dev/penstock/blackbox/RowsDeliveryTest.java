package dev.penstock.blackbox;

class RowsDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new RowsFormat();
  }
}
