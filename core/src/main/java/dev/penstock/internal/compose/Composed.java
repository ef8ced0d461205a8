package dev.penstock.internal.compose;

import dev.penstock.internal.slices.RowCopies;
import dev.penstock.stats.PaddingStats;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a composition makes of a window: rows, which are numbered from 0.
///
/// **Threads.** One at a time.
public interface Composed {
  /// Returns how many rows there are.
  ///
  /// @return rows
  int rowCount();

  /// Returns how the rows are cut into batches.
  ///
  /// @return the rows of each batch, in order; null where batches are full, across windows
  int @Nullable [] batches();

  /// Returns how the rows behind some are cut into batches.
  ///
  /// @param behind how many rows come before: those of whole batches
  /// @return see [#batches()]
  default int @Nullable [] batches(long behind) {
    int[] all = batches();
    if (all == null) {
      return null;
    }
    int passed = 0;
    for (long left = behind; left > 0 && passed < all.length; passed++) {
      left -= all[passed];
      if (left < 0) {
        throw new IllegalStateException("Row " + behind + " is not the first of a batch.");
      }
    }
    return Arrays.copyOfRange(all, passed, all.length);
  }

  /// Writes rows.
  ///
  /// @param from the first row
  /// @param to the row after the last
  /// @param target where they are appended
  void write(int from, int to, RowCopies target);

  /// Returns how much of the rows is padding.
  ///
  /// @return of all rows
  PaddingStats padding();
}
