package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class AvroColumnsTest extends ColumnsContract {
  @Override
  TableWriter writer() {
    return new AvroFiles();
  }
}
