package dev.penstock.internal.rows;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.checked.CheckedFormat;
import dev.penstock.internal.memory.ArenaScratch;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.spi.fields.CountedColumn;
import dev.penstock.spi.fields.MatchedFormat;
import dev.penstock.spi.fields.MatchedMetadata;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The numbers that the rows of a file have in its table, such as Iceberg's `_row_id`.
///
/// **Threads.** Any number at once.
public final class RowIds {
  private static final int SLICE_ROWS_MAX = 8192;

  private final TableFile file;
  private final MatchedFormat format; // of the numbers alone
  private final CountedColumn column;
  private final boolean areStored;

  private RowIds(TableFile file, MatchedFormat format, CountedColumn column, boolean areStored) {
    this.file = file;
    this.format = format;
    this.column = column;
    this.areStored = areStored;
  }

  /// Looks at the footer, which may have to be read.
  ///
  /// @return empty if rows of the table have no numbers
  public static Optional<RowIds> of(TableFile file) throws IOException {
    FileFormat own =
        file.format() instanceof CheckedFormat checked ? checked.format() : file.format();
    if (!(own instanceof MatchedFormat matched) || matched.rowIds().isEmpty()) {
      return Optional.empty();
    }
    CountedColumn column = matched.rowIds().get();
    MatchedFormat alone = matched.only(List.of(column));
    boolean areStored =
        StoredField.find(metadata(file, alone).storedFields(), column.id()).isPresent();
    return Optional.of(new RowIds(file, alone, column, areStored));
  }

  private static MatchedMetadata metadata(TableFile file, MatchedFormat format) throws IOException {
    FileMetadata known = file.footer().isStated() ? null : file.metadata();
    if (known instanceof MatchedMetadata matched) {
      return matched;
    }
    try (StorageFile opened = file.open()) {
      return (MatchedMetadata) format.readMetadata(opened);
    }
  }

  /// Returns whether the file has them, or some of them; else they follow from the row.
  public boolean areStored() {
    return areStored;
  }

  /// Returns the numbers of rows. Those that are stored are read: of each row group what is between
  /// the first and the last of its rows.
  ///
  /// @param rows as stored, in ascending order
  public long[] of(long[] rows) throws IOException {
    if (!areStored) {
      long first = column.start().orElseThrow();
      return Arrays.stream(rows).map(row -> first + row * column.step()).toArray();
    }
    long[] ids = new long[rows.length];
    try (StorageFile opened = file.open()) {
      FileMetadata metadata = format.readMetadata(opened);
      int next = 0;
      long end = 0;
      for (RowGroup group : metadata.rowGroups()) {
        end += group.rowCount();
        int from = next;
        while (next < rows.length && rows[next] < end) {
          next++;
        }
        if (next > from) {
          read(opened, metadata, Arrays.copyOfRange(rows, from, next), ids, from);
        }
      }
    }
    return ids;
  }

  private void read(StorageFile opened, FileMetadata metadata, long[] rows, long[] ids, int at)
      throws IOException {
    long row = rows[0];
    int next = 0;
    try (ArenaScratch memory = new ArenaScratch();
        SliceReader reader =
            format.openReader(
                opened,
                metadata,
                Schema.of(List.of(column.field())),
                row,
                rows[rows.length - 1] + 1 - row,
                memory)) {
      while (next < rows.length) {
        reader.skip(rows[next] - row);
        row = rows[next];
        int count = reader.next(SLICE_ROWS_MAX);
        if (count == 0) {
          throw new FilePlace(file.location(), "column '" + column.name() + "'")
              .fail("Corrupt file: it ends at row " + row + " but its row groups do not.");
        }
        ColumnSlice slice = reader.column(0);
        for (; next < rows.length && rows[next] < row + count; next++) {
          ids[at + next] = slice.values().getAtIndex(LittleEndian.LONG, rows[next] - row);
        }
        row += count;
      }
    }
  }
}
