package dev.penstock.blackbox;

class CsvDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new CsvFiles();
  }
}
