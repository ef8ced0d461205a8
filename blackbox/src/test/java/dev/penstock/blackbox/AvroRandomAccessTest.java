package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;

@SeedsAtMost(12)
class AvroRandomAccessTest extends RandomAccessContract {
  @Override
  TableWriter writer() {
    return new AvroFiles();
  }
}
