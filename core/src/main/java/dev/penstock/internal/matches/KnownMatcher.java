package dev.penstock.internal.matches;

import dev.penstock.internal.matches.KnownMatches.Stretch;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import java.util.List;

/// Chooses the rows that are known to match, without reading anything.
final class KnownMatcher implements RowMatcher {
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
