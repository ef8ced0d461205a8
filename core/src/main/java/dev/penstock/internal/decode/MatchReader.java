package dev.penstock.internal.decode;

import dev.penstock.internal.slices.RowReader;
import dev.penstock.spi.format.RowSet;
import dev.penstock.storage.Location;
import java.io.IOException;

/// Records which rows of a run match the filter.
final class MatchReader extends DrainingReader {
  private final RowReader matching;
  private final RowSet noted;
  private long[] rows = {};

  /// @param matching reads the rows that match, without columns; closed with this
  MatchReader(RowReader matching, RowSet noted) {
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
  public long end() {
    return matching.end();
  }

  @Override
  public void close() {
    matching.close();
  }
}
