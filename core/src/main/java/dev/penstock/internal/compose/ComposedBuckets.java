package dev.penstock.internal.compose;

import dev.penstock.compose.Balance;
import dev.penstock.compose.Buckets;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.compose.Composed.RowArrangement;
import dev.penstock.internal.slices.Rows;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The rows of a window by the lengths of their lists, in batches whose order is random.
final class ComposedBuckets {
  private ComposedBuckets() {}

  /// A row and its length: the length decides the order of the rows, then their old order does.
  private static long key(int length, int row) {
    return (long) length << 32 | row;
  }

  private static int length(long key) {
    return (int) (key >> 32);
  }

  /// Puts the rows of a window in order by the lengths of the lists in the column number `column`.
  ///
  /// @throws IOException if a list is longer than a batch may be
  static RowArrangement of(
      Buckets how, int batchSize, int column, int columns, Rows window, WindowNumber draw)
      throws IOException {
    int[] lengths = lengths(how, column, window);
    long most = how.tokens().orElse(Long.MAX_VALUE);
    int[] before = draw.rows(lengths.length);
    long[] keys = new long[lengths.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(lengths[before[i]], i);
    }
    long unsorted = unsorted(keys, batchSize, most);
    Arrays.sort(keys);
    int[] starts = starts(keys, batchSize, most);
    int[] order = order(how, keys, starts, draw);
    int[] rows = new int[keys.length];
    int[] batchEnds = new int[order.length];
    long padded = 0;
    int at = 0;
    for (int i = 0; i < order.length; i++) {
      int from = starts[order[i]];
      int to = starts[order[i] + 1];
      padded += (long) (to - from) * length(keys[to - 1]);
      for (int k = from; k < to; k++) {
        rows[at++] = before[(int) keys[k]];
      }
      batchEnds[i] = at;
    }
    long elements = Arrays.stream(lengths).asLongStream().sum();
    PaddingStats padding = new PaddingStats(elements, padded, unsorted, 0);
    Extent extent = new Extent(rows.length, batchEnds);
    return new RowArrangement(window, columns, rows, extent, padding);
  }

  /// Returns the batches in the order in which they come.
  private static int[] order(Buckets how, long[] keys, int[] starts, WindowNumber draw)
      throws IOException {
    if (how.balance().isEmpty()) {
      return draw.batches(starts.length - 1);
    }
    Balance balance = how.balance().get();
    double[] costs = new double[starts.length - 1];
    for (int batch = 0; batch < costs.length; batch++) {
      int rows = starts[batch + 1] - starts[batch];
      costs[batch] = rows * balance.cost(length(keys[starts[batch + 1] - 1]));
    }
    ComposedBalanced.requireFinite(balance, how.column(), Arrays.stream(costs).sum());
    return draw.even(costs, 1, balance, draw.batches(costs.length));
  }

  /// Returns how many rows each batch has, from the shortest lists to the longest.
  ///
  /// @throws IOException if a list is longer than a batch may be
  static List<Integer> sizes(Buckets how, int batchSize, int column, Rows window)
      throws IOException {
    int[] lengths = lengths(how, column, window);
    long[] keys = new long[lengths.length];
    for (int row = 0; row < keys.length; row++) {
      keys[row] = key(lengths[row], row);
    }
    Arrays.sort(keys);
    int[] starts = starts(keys, batchSize, how.tokens().orElse(Long.MAX_VALUE));
    List<Integer> sizes = new ArrayList<>();
    for (int batch = 1; batch < starts.length; batch++) {
      sizes.add(starts[batch] - starts[batch - 1]);
    }
    return sizes;
  }

  private static int[] lengths(Buckets how, int column, Rows window) throws IOException {
    Lists lists = Lists.of(window, column);
    int[] lengths = lists.lengths();
    long most = how.tokens().orElse(Long.MAX_VALUE);
    for (int row = 0; row < lengths.length; row++) {
      if (lengths[row] > most) {
        throw new IOException(
            Sentence.of(
                "Cannot put %s into a batch: its list '%s' has %s elements, but a batch"
                    + " has at most %s. Allow more tokens, or leave such rows out with a"
                    + " filter.",
                lists.name(row), how.column(), lengths[row], most));
      }
    }
    return lengths;
  }

  /// Returns where batches of rows from the shortest to the longest start, and the end.
  private static int[] starts(long[] keys, int batchSize, long most) {
    int[] starts = new int[keys.length + 1];
    int batches = 0;
    int from = 0;
    for (int i = 0; i < keys.length; i++) {
      if (i - from == batchSize || (long) (i - from + 1) * length(keys[i]) > most) {
        starts[++batches] = i;
        from = i;
      }
    }
    if (from < keys.length) {
      starts[++batches] = keys.length;
    }
    return Arrays.copyOf(starts, batches + 1);
  }

  /// Returns how many elements batches would have if they were cut without sorting.
  private static long unsorted(long[] keys, int batchSize, long most) {
    long padded = 0;
    long rows = 0;
    long longest = 0;
    for (long key : keys) {
      int length = length(key);
      long next = Math.max(longest, length);
      if (rows == batchSize || (rows + 1) * next > most) {
        padded += rows * longest;
        rows = 0;
        next = length;
      }
      longest = next;
      rows++;
    }
    return padded + rows * longest;
  }
}
