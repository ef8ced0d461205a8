package dev.penstock.internal.matches;

import dev.penstock.internal.matches.KnownMatches.Stretch;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.RowRange;
import java.util.ArrayList;
import java.util.List;

/// Neighbouring rows of a file, and which of them match a filter.
///
/// Immutable; share it freely among threads.
public final class KnownRange {
  /// Fewer rows than this are not skipped at the start: a reader that begins within a row group
  /// first has to read the index of its pages.
  private static final long NEAR_ROWS = 8192;

  private final List<Stretch> stretches;

  /// Joins stretches, which are ascending, without gaps.
  KnownRange(List<Stretch> stretches) {
    this.stretches = List.copyOf(stretches);
  }

  /// Returns how many of the rows match.
  public long count() {
    long count = 0;
    for (Stretch part : stretches) {
      count += part.before(part.end()) - part.before(part.first());
    }
    return count;
  }

  /// Cuts ranges, ascending and apart from each other, down to the rows from the first match, or a
  /// little before it, to the last.
  public List<RowRange> trim(List<RowRange> ranges) {
    List<RowRange> trimmed = new ArrayList<>();
    for (RowRange range : ranges) {
      for (Stretch part : stretches) {
        long from = Math.max(range.offset(), part.first());
        long to = Math.min(range.end(), part.end());
        if (from < to) {
          long first = part.before(from);
          long last = part.before(to) - 1;
          if (first <= last) {
            long match = part.matches().row(first);
            long start = match - from < NEAR_ROWS ? from : match;
            trimmed.add(new RowRange(start, part.matches().row(last) + 1 - start));
          }
        }
      }
    }
    return trimmed;
  }

  /// Returns a new matcher that knows the answers, for one reader.
  public RowMatcher matcher() {
    return new KnownMatcher(stretches);
  }

  /// Chooses the rows that are known to match, without reading anything.
  static final class KnownMatcher implements RowMatcher {
    private static final Schema NONE = Schema.of(List.of());

    private final List<Stretch> stretches;
    private int stretch;
    private long first; // the first row of the last look()
    private int rows;
    private int count;
    private int[] numbers = {};

    KnownMatcher(List<Stretch> stretches) {
      this.stretches = stretches;
    }

    @Override
    public int look(long first, int most) {
      while (stretches.get(stretch).end() <= first) {
        stretch++;
      }
      Stretch open = stretches.get(stretch);
      this.first = first;
      rows = (int) Math.min(most, open.end() - first);
      count = (int) (open.before(first + rows) - open.before(first));
      return rows;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int[] numbers() {
      if (numbers.length < rows + RowSet.ROOM) {
        numbers = new int[rows + RowSet.ROOM];
      }
      stretches.get(stretch).matches().between(first, first + rows, numbers);
      return numbers;
    }

    @Override
    public Schema columns() {
      return NONE;
    }

    @Override
    public ColumnSlice column(int index) {
      throw new IndexOutOfBoundsException("Column " + index + " of none");
    }

    @Override
    public void close(long end) {
      // Nothing to free.
    }
  }
}
