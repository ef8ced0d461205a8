package dev.penstock.internal.matches;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.internal.scan.PlainReader;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;

/// Tests rows, and records which of them match.
public final class RecordingMatcher implements RowMatcher {
  /// At least this many rows are recorded together, except the last ones. Their bits take 512 KiB,
  /// so a row group of any size takes no more before [KnownMatches] limits it.
  static final long NOTED_ROWS = 1 << 22;

  private final Location file;
  private final Schema columns;
  private final SliceReader reader;
  private final RowSelector selector;
  private final KnownMatches known;
  private long firstRow; // the first of the recorded rows
  private RowSet noted;
  private long row; // the reader's next row
  private int count;

  /// Makes the tests. The reader, closed with this, stands before `readFrom`.
  ///
  /// @param firstRow the row to record from: none in `[firstRow, readFrom)` matches
  public RecordingMatcher(
      Location file,
      Schema columns,
      SliceReader reader,
      RowSelector selector,
      long readFrom,
      KnownMatches known,
      long firstRow) {
    this.file = file;
    this.columns = columns;
    this.reader = reader;
    this.selector = selector;
    this.row = readFrom;
    this.known = known;
    this.firstRow = firstRow;
    this.noted = new RowSet(firstRow);
  }

  @Override
  public int look(long first, int most) throws IOException {
    if (first > row) {
      reader.skip(first - row);
    }
    int rows = PlainReader.next(reader, most, file, first);
    row = first + rows;
    if (first - firstRow >= NOTED_ROWS) {
      handOver(first);
    }
    count =
        StageClock.in(
            Stage.FILTER,
            () -> {
              int kept = selector.select(first, rows, name -> reader.column(columns.indexOf(name)));
              noted.addMarked(first, selector.marks(), rows);
              return kept;
            });
    return rows;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int[] numbers() {
    return selector.numbers();
  }

  @Override
  public Schema columns() {
    return columns;
  }

  @Override
  public ColumnSlice column(int index) {
    return reader.column(index);
  }

  private void handOver(long end) {
    noted.addRange(end, end); // adds no row: rows that cannot match count as tested
    noted.finish();
    known.add(file, firstRow, end, noted);
    noted = new RowSet(end);
    firstRow = end;
  }

  @Override
  public void close(long end) {
    handOver(end);
    reader.close();
  }
}
