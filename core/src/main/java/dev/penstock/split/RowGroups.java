package dev.penstock.split;

import dev.penstock.format.RowGroup;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/// Row groups as packed numbers, because tables have millions. Immutable.
final class RowGroups extends AbstractList<RowGroup> implements RandomAccess {
  private static final int[] NONE = {};

  // The lower halves of rows and bytes in turn, and the upper ones, unless all are 0.
  private final int[] low;
  private final int[] high;

  private RowGroups(List<RowGroup> groups) {
    low = new int[2 * groups.size()];
    int[] upper = new int[low.length];
    int at = 0;
    for (RowGroup group : groups) {
      low[at] = (int) group.rowCount();
      upper[at++] = (int) (group.rowCount() >>> 32);
      low[at] = (int) group.bytes();
      upper[at++] = (int) (group.bytes() >>> 32);
    }
    high = Arrays.stream(upper).allMatch(half -> half == 0) ? NONE : upper;
  }

  private long number(int index) {
    long lower = Integer.toUnsignedLong(low[index]);
    return high.length == 0 ? lower : (long) high[index] << 32 | lower;
  }

  static RowGroups of(List<RowGroup> groups) {
    return groups instanceof RowGroups packed ? packed : new RowGroups(groups);
  }

  @Override
  public RowGroup get(int index) {
    return new RowGroup(number(2 * index), number(2 * index + 1));
  }

  @Override
  public int size() {
    return low.length / 2;
  }
}
