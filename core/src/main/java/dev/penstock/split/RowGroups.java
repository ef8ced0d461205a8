package dev.penstock.split;

import dev.penstock.format.RowGroup;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Row groups as packed numbers, because tables have millions. Immutable.
final class RowGroups extends AbstractList<RowGroup> implements RandomAccess {
  private final long[] numbers; // rows and bytes in turn

  private RowGroups(List<RowGroup> groups) {
    numbers = new long[2 * groups.size()];
    int at = 0;
    for (RowGroup group : groups) {
      numbers[at++] = group.rowCount();
      numbers[at++] = group.bytes();
    }
  }

  static RowGroups of(List<RowGroup> groups) {
    return groups instanceof RowGroups packed ? packed : new RowGroups(groups);
  }

  @Override
  public RowGroup get(int index) {
    return new RowGroup(numbers[2 * index], numbers[2 * index + 1]);
  }

  @Override
  public int size() {
    return numbers.length / 2;
  }
}
