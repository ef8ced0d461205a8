package dev.penstock.internal.scan;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.SelectedSlice;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads all rows of a run.
public final class PlainReader implements RowReader {
  private final SliceReader reader;
  private final Location file;
  private long end;
  private int count;

  /// Stands before a row of the file; the reader is closed with this.
  public PlainReader(SliceReader reader, Location file, long firstRow) {
    this.reader = reader;
    this.file = file;
    this.end = firstRow;
  }

  @Override
  public void read(int maxRows) throws IOException {
    count = next(reader, maxRows, file, end);
    end += count;
  }

  /// Skips rows, at most those that are left.
  public void skip(long rows) throws IOException {
    if (rows > 0) {
      reader.skip(rows);
      end += rows;
      count = 0;
    }
  }

  /// Decodes the next rows; there must be at least one.
  public static int next(SliceReader reader, int maxRows, Location file, long row)
      throws IOException {
    int rows = StageClock.in(Stage.DECODE, () -> reader.next(maxRows));
    if (rows == 0) {
      throw new MalformedFileException(
          file,
          -1,
          "row " + row,
          "Truncated file: rows end here but the footer promises more.",
          null);
    }
    return rows;
  }

  @Override
  public Location file() {
    return file;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ColumnSlice column(int index) {
    return reader.column(index);
  }

  @Override
  public @Nullable SelectedSlice chosen() {
    return reader instanceof SelectedSlice rows && rows.chosen() != null ? rows : null;
  }

  @Override
  public long fileRow(int index) {
    return end - count + index;
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() {
    reader.close();
  }
}
