package dev.penstock.internal.decode;

import dev.penstock.internal.slices.RowReader;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import dev.penstock.storage.Location;
import java.io.IOException;

/// Records which rows of a run match the filter, and delivers no rows.
final class MatchRows implements RowReader {
  private final RowReader matching;
  private final RowSet noted;
  private long[] rows = {};

  /// Makes the reader.
  ///
  /// @param matching reads the rows that match, without columns; closed with this
  /// @param noted where to record them
  MatchRows(RowReader matching, RowSet noted) {
    this.matching = matching;
    this.noted = noted;
  }

  @Override
  public void read(int maxRows) throws IOException {
    matching.read(maxRows);
    int count = matching.count();
    if (rows.length < count) {
      rows = new long[Math.max(count, maxRows)];
    }
    matching.fileRows(rows, 0);
    noted.add(rows, count, matching.end());
  }

  @Override
  public Location file() {
    return matching.file();
  }

  @Override
  public int count() {
    return 0;
  }

  @Override
  public ColumnSlice column(int index) {
    throw new IndexOutOfBoundsException("Column " + index + " of none");
  }

  @Override
  public long fileRow(int index) {
    throw new IndexOutOfBoundsException("Row " + index + " of none");
  }

  @Override
  public long end() {
    return matching.end();
  }

  @Override
  public void close() {
    matching.close();
  }
}
