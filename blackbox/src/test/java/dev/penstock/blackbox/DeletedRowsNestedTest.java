package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(6)
class DeletedRowsNestedTest extends NestedContract {
  @Override
  TableWriter writer() {
    return new DeletedRowsFiles(new ParquetFiles(), "parquet");
  }
}
