package dev.penstock.blackbox;

class JsonLinesDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new JsonRows(true);
  }
}
