package dev.penstock.internal.parquet;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.ScratchMemory;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.parquet.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Decodes a run of rows of some columns, slice by slice.
///
/// A slice never crosses a row group. Row groups outside the run are not touched.
final class ParquetReader implements SliceReader {
  /// All columns together read about this much at a time, each at least and at most so much.
  private static final long READ_BYTES_TOTAL = 32 << 20;

  private static final long READ_BYTES_MIN = 64 << 10;
  private static final long READ_BYTES_MAX = 1 << 20;

  private final ParquetMetadata metadata;
  private final StorageFile file;
  private final List<Column> columns;
  private final List<ColumnReader> readers;
  private final Decompressor decompressor = new Decompressor();
  private final ColumnSlice[] slices;

  private int rowGroup = -1;
  private long groupRowsLeft;
  private long skipRows;
  private long rowsLeft;

  private ParquetReader(
      StorageFile file,
      ParquetMetadata metadata,
      List<Column> columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    this.file = file;
    this.metadata = metadata;
    this.columns = columns;
    this.skipRows = firstRow;
    this.rowsLeft = rowCount;
    this.slices = new ColumnSlice[columns.size()];
    this.readers = new ArrayList<>();
    long readBytes =
        Math.clamp(READ_BYTES_TOTAL / Math.max(1, columns.size()), READ_BYTES_MIN, READ_BYTES_MAX);
    for (Column column : columns) {
      readers.add(reader(column, memory, readBytes));
    }
  }

  static ParquetReader open(
      StorageFile file,
      ParquetMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    if (firstRow < 0 || rowCount < 0 || firstRow > metadata.rowCount() - rowCount) {
      throw new IllegalArgumentException(
          "Rows must be in [0, "
              + metadata.rowCount()
              + "), got ["
              + firstRow
              + ", "
              + (firstRow + rowCount)
              + ").");
    }
    List<Column> columns = new ArrayList<>();
    for (Field field : wanted.fields()) {
      columns.add(find(file, metadata, field));
    }
    ParquetReader reader =
        new ParquetReader(file, metadata, List.copyOf(columns), firstRow, rowCount, memory);
    reader.checkReadable(firstRow, rowCount);
    return reader;
  }

  private static Column find(StorageFile file, ParquetMetadata metadata, Field wanted)
      throws MalformedFileException {
    Where where = new Where(file.location(), -1, wanted.name());
    int index = metadata.schema().indexOf(wanted.name());
    if (index < 0) {
      throw where.fail(
          -1,
          "Cannot read column '"
              + wanted.name()
              + "': the file has no such column. Columns are: "
              + metadata.schema().names().stream().collect(Collectors.joining(", ", "[", "]"))
              + ".");
    }
    Column column = metadata.columns().get(index);
    DataType type = column.field().type();
    if (type instanceof DataType.Unsupported) {
      throw where.fail(
          -1,
          "Unsupported Parquet type: column '"
              + wanted.name()
              + "' is "
              + type
              + " but only flat columns can be read. Leave the column out.");
    }
    if (!type.equals(wanted.type())) {
      throw where.fail(
          -1,
          "Cannot read column '"
              + wanted.name()
              + "': it is "
              + type
              + " in this file but expected "
              + wanted.type()
              + ".");
    }
    return column;
  }

  /// Refuses codecs and encryption before anything is read.
  private void checkReadable(long firstRow, long rowCount) throws MalformedFileException {
    long groupStart = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      long groupEnd = groupStart + metadata.rowGroups().get(group).rowCount();
      if (groupStart < firstRow + rowCount && groupEnd > firstRow) {
        for (Column column : columns) {
          Chunk chunk = metadata.chunks().get(group).get(column.leaf());
          if (chunk.refusal() != null) {
            throw where(group, column).fail(-1, chunk.refusal());
          }
        }
      }
      groupStart = groupEnd;
    }
  }

  private Where where(int group, Column column) {
    return new Where(file.location(), group, column.field().name());
  }

  private ColumnReader reader(Column column, ScratchMemory memory, long readBytes) {
    DataType type = column.field().type();
    boolean optional = column.field().nullable();
    PageReader pages = new PageReader(file, decompressor, memory, optional, readBytes);
    Where where = where(0, column);
    return switch (column.form()) {
      case PlainForm.Bits _ -> new BoolColumnReader(type, optional, pages, memory, where);
      case PlainForm.Sized _ -> new VariableColumnReader(type, optional, pages, memory, where);
      case PlainForm form -> new FixedColumnReader(type, form, optional, pages, memory, where);
      case null -> throw new IllegalArgumentException("Cannot read " + type);
    };
  }

  @Override
  public int next(int maxRows) throws IOException {
    if (maxRows < 1) {
      throw new IllegalArgumentException("Rows must be at least 1, got " + maxRows);
    }
    if (rowsLeft == 0) {
      return 0;
    }
    while (groupRowsLeft == 0) {
      openRowGroup();
    }
    int most = (int) Math.min(maxRows, Math.min(rowsLeft, groupRowsLeft));
    int want = readers.isEmpty() ? most : readers.getFirst().toPageEnd(most);
    int count = want;
    for (ColumnReader reader : readers) {
      if (reader.available() == 0) {
        reader.decode(want);
      }
      count = Math.min(count, reader.available());
    }
    for (int i = 0; i < slices.length; i++) {
      slices[i] = readers.get(i).slice(count);
    }
    rowsLeft -= count;
    groupRowsLeft -= count;
    return count;
  }

  private void openRowGroup() throws IOException {
    rowGroup++;
    long rows = metadata.rowGroups().get(rowGroup).rowCount();
    long skip = Math.min(skipRows, rows);
    skipRows -= skip;
    groupRowsLeft = rows - skip;
    if (groupRowsLeft == 0) {
      return;
    }
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      Chunk chunk = metadata.chunks().get(rowGroup).get(column.leaf());
      readers.get(i).open(where(rowGroup, column), chunk, rows, skip);
    }
  }

  @Override
  public ColumnSlice column(int index) {
    ColumnSlice slice = slices[index];
    if (slice == null) {
      throw new IllegalStateException("Cannot give a column: next() has not been called.");
    }
    return slice;
  }

  @Override
  public void close() {
    readers.forEach(ColumnReader::close);
    decompressor.close();
  }
}
