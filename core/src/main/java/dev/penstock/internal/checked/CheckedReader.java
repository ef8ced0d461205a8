package dev.penstock.internal.checked;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.SliceReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A reader of a checked format.
final class CheckedReader implements SliceReader {
  private static final Logger LOG = LoggerFactory.getLogger(CheckedReader.class);

  private final SliceReader reader;
  private final Contract contract;
  private final Schema columns;
  private final @Nullable List<ColumnFacts> facts; // one for each column
  private final SliceCheck check;
  private final long end;
  private long row; // the next one, as the file numbers them
  private int rows; // of the slice
  private boolean isSkipping; // rows were skipped, which is not proven before the end

  /// @param facts what is stated of each column; null where not all is checked
  CheckedReader(
      SliceReader reader,
      Contract contract,
      Schema columns,
      long firstRow,
      long rowCount,
      @Nullable List<ColumnFacts> facts) {
    this.reader = reader;
    this.contract = contract;
    this.columns = columns;
    this.facts = facts;
    this.check = new SliceCheck(contract, facts != null);
    this.row = firstRow;
    this.end = firstRow + rowCount;
  }

  @Override
  public int next(int maxRows) throws IOException {
    long left = end - row;
    // A reader that has skipped too few rows has one more than are left.
    int asked = isSkipping && left <= maxRows ? (int) left + 1 : maxRows;
    int given = reader.next(asked);
    if (given < 0 || given > asked) {
      throw returned(given, asked, "a number in [0, " + asked + "]");
    }
    if (given == 0 && left > 0) {
      throw returned(
          given,
          asked,
          "a row, as " + left + " are left; or a MalformedFileException, if the file is truncated");
    }
    if (given > left) {
      String why = isSkipping ? "; skip() has to skip as many rows as it is told" : "";
      throw returned(given, asked, left + ", as no more are left" + why);
    }
    row += given;
    rows = given;
    return given;
  }

  private IllegalStateException returned(int given, int maxRows, String expected) {
    return contract.broken(
        "row " + row, "returned " + given + " from next(" + maxRows + ") but expected " + expected);
  }

  @Override
  public void skip(long count) throws IOException {
    reader.skip(count);
    isSkipping |= count > 0;
    row += count;
    rows = 0;
  }

  @Override
  public ColumnSlice column(int index) {
    Field field = columns.fields().get(index);
    ColumnSlice slice = contract.given(reader.column(index), "column(" + index + ")");
    check.check(field, slice, rows, row - rows);
    if (facts != null) {
      facts.get(index).check(slice, row - rows);
    }
    return slice;
  }

  /// Logs what goes wrong: it cannot change the rows that were read.
  @Override
  public void close() {
    try {
      reader.close();
    } catch (RuntimeException e) {
      LOG.warn("A reader could not be closed.", contract.named(e, "close()"));
    }
  }
}
