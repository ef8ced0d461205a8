package dev.penstock.internal.deliver;

import java.util.Arrays;

/// How a run is cut into batches of its own, of different numbers of rows.
///
/// Immutable.
final class BatchCuts {
  private final int batchSize;
  private final int[] ends; // by batch, the row after its last

  /// @param batches the rows of each batch, at least 1
  BatchCuts(int[] batches, int batchSize) {
    this.batchSize = batchSize;
    this.ends = new int[batches.length];
    int end = 0;
    for (int batch = 0; batch < batches.length; batch++) {
      if (batches[batch] < 1 || batches[batch] > batchSize) {
        throw new IllegalArgumentException(
            "A batch of " + batches[batch] + " rows where there are at most " + batchSize);
      }
      end += batches[batch];
      ends[batch] = end;
    }
  }

  long places() {
    return (long) ends.length * batchSize;
  }

  /// Returns the place of a row of the run, counted from the run's first place.
  long place(long row) {
    int found = Arrays.binarySearch(ends, (int) row);
    int batch = found < 0 ? -found - 1 : found + 1;
    return (long) batch * batchSize + row - (batch == 0 ? 0 : ends[batch - 1]);
  }

  /// Returns the rows of a batch of the run, counted from 0.
  int rowCount(int batch) {
    return ends[batch] - (batch == 0 ? 0 : ends[batch - 1]);
  }
}
