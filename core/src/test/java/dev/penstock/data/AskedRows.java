package dev.penstock.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows that remember how they were asked for: row `i` is `base + i`.
final class AskedRows implements MapDataset<Integer> {
  private final int base;
  private final int size;

  /// The indices of each call of `getAll`, and of `get` as one index.
  final List<String> asked = new ArrayList<>();

  AskedRows(int base, int size) {
    this.base = base;
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Integer get(long index) {
    asked.add("" + index);
    return base + Math.toIntExact(index);
  }

  @Override
  public List<Integer> getAll(long[] indices) {
    asked.add(Arrays.toString(indices));
    return Arrays.stream(indices).mapToObj(i -> base + (int) i).toList();
  }
}
