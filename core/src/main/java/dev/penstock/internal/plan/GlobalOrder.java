package dev.penstock.internal.plan;

import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An epoch in which each row may come at any place.
///
/// Rows that match the filter are numbered in file order; a permutation says which is at which
/// place. So all follows from the seed, the epoch and the place.
///
/// **Threads.** Any.
public final class GlobalOrder {
  private static final int DIGIT_BITS = 11;

  private final RowPermutation permutation;
  private final List<RowRun> groups = new ArrayList<>();
  private final long[] starts; // the number of the first row of each row group, and the end
  private final @Nullable Matches matches;
  private final int atOnce;

  /// Some rows in the order in which they are read.
  ///
  /// @param parts which rows of which files
  /// @param fileRows the number of each row in its file
  /// @param places the place of each row, counted from the first of the places that were asked for
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Chosen(List<RowRun> parts, long[] fileRows, int[] places) {}

  /// Makes the order.
  ///
  /// @param rows all rows that may match, in file order and in no windows
  /// @param matches which of them match; null if all do
  /// @param permutation permutes the rows
  /// @param atOnce how many places are read together
  GlobalOrder(
      List<RowRun> rows, @Nullable Matches matches, RowPermutation permutation, int atOnce) {
    this.matches = matches;
    this.permutation = permutation;
    this.atOnce = atOnce;
    for (RowRun run : rows) {
      if (count(run) > 0) {
        groups.add(run);
      }
    }
    this.starts = new long[groups.size() + 1];
    for (int i = 0; i < groups.size(); i++) {
      starts[i + 1] = starts[i] + count(groups.get(i));
    }
  }

  private long count(RowRun run) {
    return matches == null ? run.rowCount() : matches.of(run);
  }

  /// Returns how many rows there are.
  ///
  /// @return rows
  public long rows() {
    return starts[groups.size()];
  }

  /// Returns the rows in the order of the files.
  ///
  /// @return rows that may match
  public List<RowRun> groups() {
    return groups;
  }

  /// Cuts places into runs.
  ///
  /// @param from the first place
  /// @param to the place after the last
  /// @param runs the list they are added to, in order
  void cut(long from, long to, List<Run> runs) {
    for (long start = from; start < to; start += atOnce) {
      long count = Math.min(atOnce, to - start);
      WindowOrder order = new WindowOrder.Global(this, start, count);
      runs.add(WindowRun.of(List.of(), order, start, count));
    }
  }

  /// Finds the rows at some places.
  ///
  /// @param first the first place
  /// @param count how many
  /// @return the rows, as they are read
  public Chosen choose(long first, int count) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = permutation.row(first + i);
    }
    int[] places = new int[count];
    sort(numbers, places);
    List<RowRun> parts = new ArrayList<>();
    long[] fileRows = new long[count];
    int group = 0;
    for (int from = 0; from < count; ) {
      while (starts[group + 1] <= numbers[from]) {
        group++;
      }
      int to = from;
      while (to < count && numbers[to] < starts[group + 1]) {
        to++;
      }
      parts.add(part(groups.get(group), starts[group], numbers, fileRows, from, to));
      from = to;
    }
    return new Chosen(parts, fileRows, places);
  }

  /// Chooses rows of a row group: numbers `[from, to)`.
  private RowRun part(RowRun group, long start, long[] numbers, long[] fileRows, int from, int to) {
    TableFile file = group.file();
    long before = matches == null ? 0 : matches.before(file, group.firstRow());
    long[] stored = new long[to - from];
    for (int i = from; i < to; i++) {
      long number = numbers[i] - start;
      long row = matches == null ? group.firstRow() + number : matches.row(file, before + number);
      fileRows[i] = row;
      stored[i - from] = file.live().isEmpty() ? row : file.live().get().row(row);
    }
    RowSet rows = new RowSet(stored[0]);
    rows.add(stored, stored.length, stored[stored.length - 1] + 1);
    rows.finish();
    return new RowRun(group.source(), file.only(rows), 0, to - from, Condition.always(), 0);
  }

  /// Sorts row numbers, by digits from the lowest on, and notes where each was.
  private void sort(long[] numbers, int[] places) {
    int count = numbers.length;
    long[] from = numbers;
    long[] to = new long[count];
    int[] placesFrom = places;
    int[] placesTo = new int[count];
    for (int i = 0; i < count; i++) {
      placesFrom[i] = i;
    }
    int bits = 64 - Long.numberOfLeadingZeros(Math.max(1, rows() - 1));
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
      int[] next = new int[(1 << DIGIT_BITS) + 1];
      for (int i = 0; i < count; i++) {
        next[digit(from[i], shift) + 1]++;
      }
      for (int digit = 0; digit < 1 << DIGIT_BITS; digit++) {
        next[digit + 1] += next[digit];
      }
      for (int i = 0; i < count; i++) {
        int at = next[digit(from[i], shift)]++;
        to[at] = from[i];
        placesTo[at] = placesFrom[i];
      }
      long[] sorted = to;
      to = from;
      from = sorted;
      int[] moved = placesTo;
      placesTo = placesFrom;
      placesFrom = moved;
    }
    System.arraycopy(from, 0, numbers, 0, count);
    System.arraycopy(placesFrom, 0, places, 0, count);
  }

  private static int digit(long number, int shift) {
    return (int) (number >>> shift) & ((1 << DIGIT_BITS) - 1);
  }
}
