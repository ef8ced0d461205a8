package dev.penstock.internal.compose;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Groups;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.compose.Composed.RowArrangement;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The groups of a window in batches.
final class ComposedGroups {
  private ComposedGroups() {}

  /// Puts the groups of a window into batches. The column number `column` has the keys.
  static RowArrangement of(
      Groups how, int batchSize, int column, int columns, Rows window, WindowNumber draw)
      throws IOException {
    Keys keys = Keys.of(window, column, how.column());
    List<Integer> starts = new ArrayList<>(List.of(0));
    for (int group = 0; group < keys.count(); group++) {
      requireFits(how, keys.size(group), batchSize, keys.origin(group));
      if (keys.start(group) + keys.size(group) - starts.getLast() > batchSize) {
        starts.add(keys.start(group));
      }
    }
    if (window.count() > 0) {
      starts.add(window.count());
    }
    int[] order = draw.rows(starts.size() - 1);
    int[] rows = new int[window.count()];
    int[] ends = new int[order.length];
    int at = 0;
    for (int i = 0; i < order.length; i++) {
      for (int row = starts.get(order[i]); row < starts.get(order[i] + 1); row++) {
        rows[at++] = row;
      }
      ends[i] = at;
    }
    Extent extent = new Extent(rows.length, ends);
    return new RowArrangement(window, columns, rows, extent, PaddingStats.NONE);
  }

  static long batches(List<Integer> sizes, int batchSize) {
    long batches = 0;
    int room = 0;
    for (int size : sizes) {
      if (size > room) {
        batches++;
        room = batchSize;
      }
      room -= size;
    }
    return batches;
  }

  static void requireFits(Groups how, int size, int batchSize, RowOrigin first) throws IOException {
    if (size > batchSize) {
      throw Advice.ioError(
          "Cannot put the group of '%s' from %s into a batch: it has %s rows or more, but a"
              + " batch has %s. Make batches larger with %s.",
          how.column(), first.place(), size, batchSize, Remedy.call("batchSize"));
    }
  }
}
