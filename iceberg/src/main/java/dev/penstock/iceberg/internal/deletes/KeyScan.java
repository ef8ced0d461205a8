package dev.penstock.iceberg.internal.deletes;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// One pass over the key columns of a data file, for the rows that are deleted by their values.
///
/// Row groups whose statistics rule out deleted keys are skipped.
///
/// **Threads.** One at a time.
final class KeyScan {
  private final FileFormat format;
  private final FileMetadata metadata;
  private final List<StoredField> columns;
  private final List<Test> tests;
  private final long sequence;
  private final BitSet groups = new BitSet(); // the row groups to read

  /// The tests for rows.
  record Test(KeyRows keys, DeletedKeys deleted) {}

  KeyScan(
      FileFormat format,
      FileMetadata metadata,
      List<StoredField> columns,
      List<Test> tests,
      long sequence) {
    this.format = format;
    this.metadata = metadata;
    this.columns = List.copyOf(columns);
    this.tests = List.copyOf(tests);
    this.sequence = sequence;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      int number = group;
      groups.set(group, tests.stream().anyMatch(test -> mayDelete(test, number)));
    }
  }

  private boolean mayDelete(Test test, int group) {
    StoredField column = test.keys.only(columns);
    if (column == null
        || column.path() == null
        || !(test.deleted instanceof DeletedKeys.Longs keys)) {
      return true;
    }
    ColumnStatistics known = metadata.statistics(group, column.path());
    if (!known.noNulls() && keys.findNull() > sequence) {
      return true;
    }
    return known.lower() == null
        || known.upper() == null
        || !(known.lower().value() instanceof Long low)
        || !(known.upper().value() instanceof Long high)
        || !test.keys.areCounts(column)
        || keys.anyIn(low, high);
  }

  /// Announces to a file what will be read.
  void expect(StorageFile file) {
    long row = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      long rows = metadata.rowGroups().get(group).rowCount();
      if (groups.get(group)) {
        AheadFile.expect(file, format.ranges(metadata, schema(), row, rows));
      }
      row += rows;
    }
  }

  private Schema schema() {
    return DeleteFiles.schema(columns);
  }

  /// Finds the rows that are left.
  ///
  /// @param deleted rows that are deleted by position, ascending
  RowSet left(StorageFile file, long[] deleted) throws IOException {
    RowSet left = new RowSet(0);
    Rows rows = new Rows(left, deleted);
    if (groups.isEmpty()) {
      rows.pass(metadata.rowCount());
    } else {
      try (ScanMemory memory = new ScanMemory(file.location());
          SliceReader reader =
              format.openReader(file, metadata, schema(), 0, metadata.rowCount(), memory)) {
        List<RowGroup> all = metadata.rowGroups();
        for (int group = 0; group < all.size(); group++) {
          long end = rows.at + all.get(group).rowCount();
          if (!groups.get(group)) {
            reader.skip(end - rows.at);
            rows.pass(end);
          }
          while (rows.at < end) {
            int count = reader.next((int) Math.min(DeleteFiles.SLICE_ROWS, end - rows.at));
            if (count == 0) {
              throw new FilePlace(file.location(), "row group " + group)
                  .fail("Truncated file: rows end at " + rows.at + " but expected " + end + ".");
            }
            rows.test(reader, count);
          }
        }
      }
    }
    left.finish();
    return left;
  }

  /// Tests rows as they are read.
  private final class Rows {
    private final RowSet left;
    private final long[] deleted;
    private final long[] gone = new long[DeleteFiles.SLICE_ROWS / 64];
    private int next; // the next row deleted by position
    private long at;

    Rows(RowSet left, long[] deleted) {
      this.left = left;
      this.deleted = deleted;
    }

    /// Adds rows of which none is deleted by value.
    void pass(long end) {
      while (at < end) {
        int count = (int) Math.min(DeleteFiles.SLICE_ROWS, end - at);
        Arrays.fill(gone, 0);
        add(count);
      }
    }

    void test(SliceReader reader, int count) {
      Arrays.fill(gone, 0);
      for (Test test : tests) {
        test.keys.take(reader, count);
        test.keys.mark(test.deleted, sequence, count, gone);
      }
      add(count);
    }

    private void add(int count) {
      for (; next < deleted.length && deleted[next] < at + count; next++) {
        int row = (int) (deleted[next] - at);
        gone[row >>> 6] |= 1L << row;
      }
      left.addUnmarked(at, gone, count);
      at += count;
    }
  }
}
