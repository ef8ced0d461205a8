package dev.penstock.internal.rows;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.storage.Location;
import java.util.Arrays;
import java.util.List;

/// Where the rows of a table are: numbered through all files in path order, and cut into blocks.
///
/// A block is an aligned run of rows of one row group. Immutable; share it freely among threads.
final class BlockRows {
  /// The most rows of a block: about as many as writers put into a page, which is decompressed as a
  /// whole for any of its rows.
  private static final int BLOCK_ROWS_MAX = 16_384;

  private final List<TableFile> files;

  /// The number of the first row of each row group with rows, and the end.
  private final long[] starts;

  private final int[] fileOf;
  private final long[] fileStarts; // the first row of the row group, counted in its file
  private final int[] blockRows;

  /// Rows that are read together.
  ///
  /// @param fileRow the first row, counted from 0 in the file
  /// @param groupEnd the end of the row group, counted from 0 in the file
  record BlockPlace(TableFile file, long firstRow, int rows, long fileRow, long groupEnd) {
    /// Returns the row after the last one, counted from 0 in the file.
    long fileEnd() {
      return fileRow + rows;
    }

    /// Returns whether to read a later block in the same pass: in the same row group, and near.
    boolean isNear(BlockPlace next) {
      return file.location().equals(next.file.location())
          && groupEnd == next.groupEnd
          && next.fileRow - fileEnd() <= rows;
    }

    /// Returns the number of the row after the last one.
    long end() {
      return firstRow + rows;
    }

    BlockPlace only(long row) {
      return new BlockPlace(file, row, 1, fileRow + (row - firstRow), groupEnd);
    }
  }

  /// Numbers the rows of files in path order, and cuts them into blocks of about `blockBytes`
  /// bytes.
  BlockRows(List<TableFile> files, Schema columns, long blockBytes) {
    this.files = files;
    int groups = 0;
    for (TableFile file : files) {
      groups += file.rowGroups().size();
    }
    long[] firsts = new long[groups + 1];
    int[] owners = new int[groups];
    long[] firstsInFile = new long[groups];
    int[] sizes = new int[groups];
    int count = 0;
    long row = 0;
    for (int f = 0; f < files.size(); f++) {
      long fileRow = 0;
      for (RowGroup group : files.get(f).rowGroups()) {
        if (group.rowCount() > 0) {
          firsts[count] = row;
          owners[count] = f;
          firstsInFile[count] = fileRow;
          sizes[count] = blockRows(group, columns, blockBytes);
          count++;
          row = Math.addExact(row, group.rowCount());
          fileRow += group.rowCount();
        }
      }
    }
    firsts[count] = row;
    this.starts = Arrays.copyOf(firsts, count + 1);
    this.fileOf = owners;
    this.fileStarts = firstsInFile;
    this.blockRows = sizes;
  }

  private static int blockRows(RowGroup group, Schema columns, long blockBytes) {
    long rowBytes = 1;
    for (Field field : columns.fields()) {
      rowBytes += field.type().byteWidth();
    }
    boolean fixed =
        columns.fields().stream()
            .noneMatch(field -> field.type().isNested() || field.type().isVariableWidth());
    if (!fixed) { // The widths are unknown: estimates as if all columns of the file were read.
      rowBytes += group.bytes() / group.rowCount();
    }
    return Math.clamp(blockBytes / rowBytes, 1, BLOCK_ROWS_MAX);
  }

  long size() {
    return starts[starts.length - 1];
  }

  private int group(long row) {
    int found = Arrays.binarySearch(starts, row);
    return found >= 0 ? found : -found - 2;
  }

  /// Returns the block of a row in `[0, size())`.
  BlockPlace block(long row) {
    int group = group(row);
    long behind = row - starts[group];
    long first = behind - behind % blockRows[group];
    long groupRows = starts[group + 1] - starts[group];
    return new BlockPlace(
        files.get(fileOf[group]),
        starts[group] + first,
        (int) Math.min(blockRows[group], groupRows - first),
        fileStarts[group] + first,
        fileStarts[group] + groupRows);
  }

  Location file(long row) {
    return files.get(fileOf[group(row)]).location();
  }

  /// Returns a row's number in its file, counted from 0.
  long fileRow(long row) {
    int group = group(row);
    return fileStarts[group] + (row - starts[group]);
  }
}
