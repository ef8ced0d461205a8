package dev.penstock.blackbox.cases;

import dev.penstock.data.MapDataset;

/// The numbers from 0 on.
record Numbers(long size) implements MapDataset<Long> {
  @Override
  public Long get(long index) {
    return index;
  }
}
