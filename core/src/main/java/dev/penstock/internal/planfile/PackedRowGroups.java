package dev.penstock.internal.planfile;

import dev.penstock.format.RowGroup;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/// Some of many row groups, as numbers: an object for each would be most of a plan.
final class PackedRowGroups extends AbstractList<RowGroup> implements RandomAccess {
  private final long[] rows;
  private final long[] bytes;
  private final int start;
  private final int size;

  /// Shares arrays without a negative number, which are not changed any more.
  PackedRowGroups(long[] rows, long[] bytes, int start, int end) {
    this.rows = rows;
    this.bytes = bytes;
    this.start = start;
    this.size = end - start;
  }

  @Override
  public RowGroup get(int index) {
    Objects.checkIndex(index, size);
    return new RowGroup(rows[start + index], bytes[start + index]);
  }

  @Override
  public int size() {
    return size;
  }
}
