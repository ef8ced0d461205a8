package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(4)
class DeletedRowsOneOrderTest extends OneOrderContract {
  @Override
  TableWriter writer() {
    return new DeletedRowsFiles(new ParquetFiles(), "parquet");
  }
}
