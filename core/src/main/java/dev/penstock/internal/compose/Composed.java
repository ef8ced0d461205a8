package dev.penstock.internal.compose;

import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Selection;
import dev.penstock.stats.PaddingStats;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a composition makes of a window: rows, which are numbered from 0.
///
/// **Threads.** One at a time.
public interface Composed {
  Extent extent();

  /// Appends the rows `[from, to)` to the target.
  void write(int from, int to, RowCopies target);

  /// Returns the rows of the window that a row is made of, in the order in which it has them.
  List<RowPart> parts(int row);

  default PaddingStats padding() {
    return PaddingStats.NONE;
  }

  /// How many rows there are, and how they are cut into batches.
  ///
  /// What has a place in the sequence is a row, or a batch where rows are cut into batches of their
  /// own.
  ///
  /// @param batchEnds by batch, the row after its last; null where batches are full, across windows
  @SuppressWarnings("ArrayRecordComponent") // nobody compares extents
  record Extent(int rowCount, int @Nullable [] batchEnds) {
    static final Extent NONE = new Extent(0, null);

    /// Returns how many places there are: rows or batches.
    public long placeCount() {
      return batchEnds == null ? rowCount : batchEnds.length;
    }

    /// Returns the place of a row, or of its batch; after the last row, the place after all.
    public long place(int row) {
      if (batchEnds == null) {
        return row;
      }
      int found = Arrays.binarySearch(batchEnds, row);
      return found < 0 ? -found - 1 : found + 1;
    }

    /// Returns the first row of a place; after the last place, the row after all.
    public int firstRow(long place) {
      if (batchEnds == null) {
        return Math.toIntExact(place);
      }
      return place == 0 ? 0 : batchEnds[(int) place - 1];
    }

    /// Returns the end of the batch that rows before `to` end in; `to` where batches are full.
    public int batchEnd(int to) {
      return batchEnds == null ? to : firstRow(place(to - 1) + 1);
    }

    /// Returns the rows of each batch in places `[from, to)`; null where batches are full.
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

  /// Rows of a window in another order; some may come several times, or not at all.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record RowArrangement(Rows window, int columns, int[] rows, Extent extent, PaddingStats padding)
      implements Composed {
    @Override
    public void write(int from, int to, RowCopies target) {
      Selection chosen = Selection.of(rows, from, to, 0);
      for (int column = 0; column < columns; column++) {
        target.append(column, window.column(column), chosen);
      }
    }

    @Override
    public List<RowPart> parts(int row) {
      return window.parts(rows[row]);
    }
  }
}
