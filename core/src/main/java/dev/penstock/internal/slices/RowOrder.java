package dev.penstock.internal.slices;

import dev.penstock.internal.plan.Permutation;

/// A random order of rows. Its arrays are reused for the next order.
///
/// **Threads.** One at a time.
public final class RowOrder {
  private int[] places = {};
  private int[] rows = {};
  private boolean hasRows; // whether the rows are those of the current places
  private int size;

  /// Starts with an order of no rows.
  public RowOrder() {}

  /// Draws another order.
  ///
  /// @param size how many rows there are
  /// @param seed see [Permutation#fill]
  /// @param epoch the same
  /// @param number the same
  public void draw(int size, long seed, long epoch, long number) {
    this.size = size;
    if (places.length < size) {
      places = new int[size];
      rows = new int[size];
    }
    Permutation.fillPlaces(places, rows, size, seed, epoch, number);
    hasRows = false;
  }

  /// Returns how many rows there are.
  int size() {
    return size;
  }

  /// Returns the place of each row.
  ///
  /// @return the places, valid up to the number of rows until the next order is drawn
  public int[] places() {
    return places;
  }

  /// Returns for each place its row.
  ///
  /// @return the rows, see [#places()]
  public int[] rows() {
    if (!hasRows) {
      for (int i = 0; i < size; i++) {
        rows[places[i]] = i;
      }
      hasRows = true;
    }
    return rows;
  }
}
