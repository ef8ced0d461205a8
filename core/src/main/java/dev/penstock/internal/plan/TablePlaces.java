package dev.penstock.internal.plan;

import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of one dataset, each of which may come at any place.
///
/// Rows that match the filter are numbered in file order; a permutation says which is at which
/// place. So all follows from the seed, the epoch and the place.
final class TablePlaces extends RowPlaces {
  private static final int DIGIT_BITS = 11;

  private final RowPermutation permutation;
  private final List<RowRun> groups = new ArrayList<>();
  private final long[] starts; // the number of the first row of each row group, and the end
  private final @Nullable Matches matches;

  /// @param rows all rows that may match, in file order and in no windows
  /// @param matches which of them match; null if all do
  TablePlaces(
      List<RowRun> rows, @Nullable Matches matches, RowPermutation permutation, int atOnce) {
    super(atOnce);
    this.matches = matches;
    this.permutation = permutation;
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
    return run.count(matches);
  }

  private long rows() {
    return starts[groups.size()];
  }

  @Override
  public List<RowRun> groups() {
    return groups;
  }

  @Override
  public PlacedRuns choose(long first, int count) {
    long[] numbers = permutation.rows(first, count);
    int[] places = sort(numbers);
    List<RowRun> parts = new ArrayList<>();
    int group = 0;
    for (int from = 0; from < count; ) {
      while (starts[group + 1] <= numbers[from]) {
        group++;
      }
      int to = from;
      while (to < count && numbers[to] < starts[group + 1]) {
        to++;
      }
      parts.add(part(groups.get(group), starts[group], numbers, from, to));
      from = to;
    }
    return new PlacedRuns(parts, places);
  }

  /// Chooses rows of a row group: numbers `[from, to)`.
  private RowRun part(RowRun group, long start, long[] numbers, int from, int to) {
    TableFile file = group.file();
    RowSet live = file.live().orElse(null);
    long offset = before(group) - start;
    long[] stored = new long[to - from];
    for (int i = from; i < to; i++) {
      stored[i - from] = numbers[i] + offset;
    }
    for (int i = 0; matches != null && i < stored.length; i++) {
      stored[i] = matches.row(file, stored[i]);
    }
    for (int i = 0; live != null && i < stored.length; i++) {
      stored[i] = live.row(stored[i]);
    }
    RowSet rows = new RowSet(stored[0]);
    rows.add(stored, stored.length, stored[stored.length - 1] + 1);
    rows.finish();
    return new RowRun(group.source(), file.only(rows), 0, to - from, Condition.always(), 0);
  }

  /// Returns how many rows of its file come before a row group: those that match, where they are
  /// counted.
  private long before(RowRun group) {
    return matches == null ? group.firstRow() : matches.before(group.file(), group.firstRow());
  }

  @Override
  public RowRun at(long place) {
    long number = permutation.rows(place, 1)[0];
    int group = RowRun.indexOf(starts, number);
    RowRun in = groups.get(group);
    long index = before(in) + number - starts[group];
    long row = matches == null ? index : matches.row(in.file(), index);
    return in.rows(row, row + 1);
  }

  @Override
  void rows(long first, int count, RowSink sink) {
    for (long number : permutation.rows(first, count)) {
      int group = RowRun.indexOf(starts, number);
      long own = number - starts[group];
      groups.get(group).rows(matches, own, own + 1, sink);
    }
  }

  /// Finds the places `[from, to)` of rows; the first of them has a number.
  void find(long from, long to, long start, ChosenRows wanted, RowFinder.PlaceSink sink) {
    for (int i = 0; i < groups.size(); i++) {
      groups
          .get(i)
          .find(
              matches,
              starts[i],
              wanted,
              row -> {
                long place = permutation.places(row.place(), 1)[0];
                if (place >= from && place < to) {
                  sink.found(
                      new RowFinder.Placed(
                          start + place - from, row.source(), row.file(), row.row()));
                }
              });
    }
  }

  long[] places(long firstNumber, int count) {
    return permutation.places(firstNumber, count);
  }

  /// Cuts all rows, in file order, into windows, for piles. Row groups stay whole, unless they are
  /// larger.
  List<Run> windows() {
    long most = atOnce();
    List<Run> windows = new ArrayList<>();
    List<RowRun> open = new ArrayList<>();
    long openRows = 0;
    long first = 0;
    for (int group = 0; group < groups.size(); group++) {
      RowRun all = groups.get(group);
      if (openRows > 0 && openRows + all.rowCount() > most) {
        add(open, openRows, first, windows);
        open.clear();
        openRows = 0;
      }
      first = open.isEmpty() ? starts[group] : first;
      long parts = Math.ceilDiv(all.rowCount(), most);
      for (long part = 0; part + 1 < parts; part++) {
        RowRun cut = all.rows(edge(all, part, parts), edge(all, part + 1, parts));
        add(List.of(cut), cut.rowCount(), first, windows);
        first += count(cut);
      }
      RowRun last = all.rows(edge(all, parts - 1, parts), all.endRow());
      open.add(last);
      openRows += last.rowCount();
    }
    if (openRows > 0) {
      add(open, openRows, first, windows);
    }
    return windows;
  }

  private static long edge(RowRun all, long part, long parts) {
    return all.firstRow() + all.rowCount() * part / parts;
  }

  private static void add(List<RowRun> parts, long rows, long firstNumber, List<Run> windows) {
    WindowOrder order = new WindowOrder.Piled(firstNumber);
    windows.add(WindowRun.of(parts, order, windows.size(), rows));
  }

  /// Sorts row numbers, by digits from the lowest on. Returns where each was, which it has in its
  /// lowest bits meanwhile.
  private int[] sort(long[] numbers) {
    int count = numbers.length;
    int placeBits = bits(count);
    for (int i = 0; i < count; i++) {
      numbers[i] = numbers[i] << placeBits | i;
    }
    long[] from = numbers;
    long[] to = new long[count];
    int end = placeBits + bits(rows());
    for (int shift = placeBits; shift < end; shift += DIGIT_BITS) {
      int[] next = new int[(1 << DIGIT_BITS) + 1];
      for (int i = 0; i < count; i++) {
        next[digit(from[i], shift) + 1]++;
      }
      for (int digit = 0; digit < 1 << DIGIT_BITS; digit++) {
        next[digit + 1] += next[digit];
      }
      for (int i = 0; i < count; i++) {
        to[next[digit(from[i], shift)]++] = from[i];
      }
      long[] sorted = to;
      to = from;
      from = sorted;
    }
    int[] places = new int[count];
    for (int i = 0; i < count; i++) {
      places[i] = (int) (from[i] & (1L << placeBits) - 1);
      numbers[i] = from[i] >>> placeBits;
    }
    return places;
  }

  private static int bits(long count) {
    return 64 - Long.numberOfLeadingZeros(Math.max(1, count - 1));
  }

  private static int digit(long number, int shift) {
    return (int) (number >>> shift) & ((1 << DIGIT_BITS) - 1);
  }
}
