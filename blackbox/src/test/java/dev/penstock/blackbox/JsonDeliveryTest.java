package dev.penstock.blackbox;

class JsonDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new JsonRows(false);
  }
}
