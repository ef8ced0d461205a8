package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class DeletedRowsDeliveryTest extends DeliveryContract {
  @Override
  TableWriter writer() {
    return new DeletedRowsFiles(new ParquetFiles(), "parquet");
  }
}
