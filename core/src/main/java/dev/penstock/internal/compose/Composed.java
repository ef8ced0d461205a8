package dev.penstock.internal.compose;

import dev.penstock.internal.slices.RowCopies;
import dev.penstock.stats.PaddingStats;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a composition makes of a window: rows, which are numbered from 0.
///
/// **Threads.** One at a time.
public interface Composed {
  /// Returns how many rows there are, and whether they are cut into batches of their own.
  Extent extent();

  /// Writes rows.
  ///
  /// @param from the first row
  /// @param to the row after the last
  /// @param target where they are appended
  void write(int from, int to, RowCopies target);

  /// Returns how much of the rows is padding.
  PaddingStats padding();

  /// How many rows there are, and how they are cut into batches.
  ///
  /// What has a place in the sequence is a row, or a batch where rows are cut into batches of their
  /// own.
  ///
  /// @param batchEnds by batch, the row after its last; null where batches are full, across windows
  @SuppressWarnings("ArrayRecordComponent") // nobody compares extents
  record Extent(int rowCount, int @Nullable [] batchEnds) {
    /// No rows.
    static final Extent NONE = new Extent(0, null);

    /// Returns how many places there are.
    ///
    /// @return rows or batches
    public long placeCount() {
      return batchEnds == null ? rowCount : batchEnds.length;
    }

    /// Returns the place of a row.
    ///
    /// @param row the row; after the last, the place after all
    /// @return its number, or that of its batch
    public long place(int row) {
      if (batchEnds == null) {
        return row;
      }
      int found = Arrays.binarySearch(batchEnds, row);
      return found < 0 ? -found - 1 : found + 1;
    }

    /// Returns the first row of a place.
    ///
    /// @param place the place; after the last, the row after all
    public int firstRow(long place) {
      if (batchEnds == null) {
        return Math.toIntExact(place);
      }
      return place == 0 ? 0 : batchEnds[(int) place - 1];
    }

    /// Returns the end of the batch that some rows end in.
    ///
    /// @param to the row after them
    /// @return the row after the batch; `to` where batches are full, across windows
    public int batchEnd(int to) {
      return batchEnds == null ? to : firstRow(place(to - 1) + 1);
    }

    /// Returns how rows are cut into batches.
    ///
    /// @param from the first place
    /// @param to the place after the last
    /// @return the rows of each batch; null where batches are full, across windows
    public int @Nullable [] batches(long from, long to) {
      if (batchEnds == null) {
        return null;
      }
      int[] rows = new int[(int) (to - from)];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = firstRow(from + i + 1) - firstRow(from + i);
      }
      return rows;
    }
  }
}
