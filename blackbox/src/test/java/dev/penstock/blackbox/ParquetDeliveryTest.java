package dev.penstock.blackbox;

class ParquetDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }
}
