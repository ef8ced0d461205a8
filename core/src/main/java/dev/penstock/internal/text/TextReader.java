package dev.penstock.internal.text;

import dev.penstock.internal.text.TextGroups.TextGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;

/// Decodes a run of the records of a text file, a slice at a time. Records that are skipped are not
/// parsed.
public abstract class TextReader implements SliceReader {
  /// The text from the group of the first record on, up to the end of that of the last.
  protected final TextBuffer window;

  private final ReaderMemory memory;
  private final int rowsMax;
  private long skipRows; // before the next slice
  private long rowsLeft;
  private int sliceRows;

  /// The rows to read, as [dev.penstock.spi.format.FileFormat#openReader] takes them, and the
  /// memory of the reader, which closes it.
  public record Run(
      StorageFile file, Schema columns, long firstRow, long rowCount, ReaderMemory memory) {}

  /// Opens a run of records, of which a slice has at most `rowsMax`.
  protected TextReader(Run run, TextForm form, TextGroups groups, int rowsMax) throws IOException {
    List<TextGroup> all = groups.groups();
    int first = 0;
    long skip = run.firstRow;
    while (first < all.size() - 1 && skip >= all.get(first).rows()) {
      skip -= all.get(first++).rows();
    }
    this.memory = run.memory;
    this.rowsMax = rowsMax;
    this.skipRows = skip;
    this.rowsLeft = run.rowCount;
    TextPlace start = all.isEmpty() ? form.start() : all.get(first).start();
    long end = all.isEmpty() ? 0 : end(all, first, skip);
    this.window = new TextBuffer(run.file, form, start, end, memory);
  }

  /// Returns where the group of the last record ends, which comes in `first` or after it.
  private long end(List<TextGroup> groups, int first, long skip) {
    int last = first;
    long rows = skip + rowsLeft;
    for (long there = groups.get(first).rows(); there < rows; there += groups.get(last).rows()) {
      last++;
    }
    return groups.get(last).end();
  }

  @Override
  public final int next(int maxRows) throws IOException {
    ReadRequest.requireMost(maxRows);
    if (rowsLeft == 0) {
      return 0;
    }
    if (skipRows > 0) {
      skipRecords(skipRows);
      skipRows = 0;
    }
    sliceRows = decode((int) Math.min(Math.min(maxRows, rowsMax), rowsLeft));
    rowsLeft -= sliceRows;
    return sliceRows;
  }

  protected abstract void skipRecords(long count) throws IOException;

  /// Decodes from 1 to `most` records and returns how many.
  protected abstract int decode(int most) throws IOException;

  @Override
  public final void skip(long rows) {
    if (rows > rowsLeft) {
      throw new IllegalArgumentException(
          "Cannot skip " + rows + " rows: only " + rowsLeft + " are left.");
    }
    skipRows += rows;
    rowsLeft -= rows;
  }

  protected final long rowsLeft() {
    return rowsLeft;
  }

  protected final int sliceRows() {
    return sliceRows;
  }

  @Override
  public final void close() {
    window.close();
    memory.close();
  }
}
