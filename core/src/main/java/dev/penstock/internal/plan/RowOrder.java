package dev.penstock.internal.plan;

import java.util.Arrays;
import java.util.stream.IntStream;

/// A random order of rows. Its arrays are reused for the next order.
///
/// **Threads.** One at a time.
public final class RowOrder {
  private int[] places = {};
  private int[] rows = {};
  private boolean hasRows; // whether the rows are those of the current places
  private int size;
  private int[] sources = {};

  /// Draws another order, see [Permutation#fillPlaces].
  public void draw(int size, long seed, long epoch, long number) {
    this.size = size;
    if (places.length < size) {
      places = new int[size];
      rows = new int[size];
    }
    Permutation.fillPlaces(places, rows, size, seed, epoch, number);
    hasRows = false;
  }

  /// Begins an order of which no place is known.
  public void clear() {
    size = 0;
    hasRows = false;
  }

  /// Adds the places of the next rows: the first `count` of an array.
  public void add(int[] more, int count) {
    if (places.length < size + count) {
      places = Arrays.copyOf(places, Math.max(size + count, 2 * size));
      rows = new int[places.length];
    }
    System.arraycopy(more, 0, places, size, count);
    size += count;
  }

  public void keep(int size) {
    clear();
    add(IntStream.range(0, size).toArray(), size);
  }

  /// Takes the place of each row. The array is not copied, and not changed.
  public void take(int[] chosen) {
    size = chosen.length;
    places = chosen;
    rows = rows.length < size ? new int[size] : rows;
    hasRows = false;
  }

  /// Draws the order of a window of a mixture, in which the rows of each dataset may be shuffled.
  /// Those of the first dataset are read first, then those of the next.
  public void mix(WindowOrder.Mixed mixed, long seed, long epoch, long window) {
    size = Math.toIntExact(mixed.rows());
    if (places.length < size) {
      places = new int[size];
      rows = new int[size];
    }
    hasRows = false;
    int[] ofPlace = rows;
    mixed.mixing().sources(mixed.firstRow(), size, ofPlace);
    sources = new int[mixed.mixing().sourceCount()];
    for (int place = 0; place < size; place++) {
      sources[ofPlace[place]]++;
    }
    int[] next = new int[sources.length];
    for (int source = 1; source < next.length; source++) {
      next[source] = next[source - 1] + sources[source - 1];
    }
    for (int place = 0; place < size; place++) {
      places[next[ofPlace[place]]++] = place;
    }
    int first = 0;
    for (int source = 0; mixed.isShuffled() && source < sources.length; source++) {
      shuffle(first, sources[source], seed, epoch, window * sources.length + source);
      first += sources[source];
    }
  }

  /// Gives the places of a dataset's rows to them in random order.
  private void shuffle(int first, int count, long seed, long epoch, long number) {
    int[] drawn = new int[count];
    Permutation.fill(drawn, count, seed, epoch, number);
    int[] before = Arrays.copyOfRange(places, first, first + count);
    for (int i = 0; i < count; i++) {
      places[first + i] = before[drawn[i]];
    }
  }

  /// Returns how many rows of the mixture are of each dataset; empty for another order.
  public int[] sources() {
    return sources;
  }

  public int size() {
    return size;
  }

  /// Returns the place of each row, valid up to the number of rows until the next order is drawn.
  public int[] places() {
    return places;
  }

  /// Returns for each place its row, see [#places()].
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
