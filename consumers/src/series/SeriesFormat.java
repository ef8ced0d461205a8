// @start region=series-format
package com.example.series;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// `SER1`, the number of rows, the number of columns and their names; then each column as
/// little-endian doubles.
public final class SeriesFormat implements FileFormat {
  public static final DataType TYPE = new DataType.Floating(64);

  private record Series(Schema schema, long rowCount, long start) implements FileMetadata {
    @Override
    public List<RowGroup> rowGroups() {
      return List.of(new RowGroup(rowCount, 8 * rowCount * schema.size()));
    }

    long offset(String column, long row) {
      return start + 8 * (schema.indexOf(column) * rowCount + row);
    }
  }

  @Override
  public String name() {
    return "series";
  }

  @Override
  public List<String> extensions() {
    return List.of("series");
  }

  @Override
  public byte[] magic() {
    return new byte[] {'S', 'E', 'R', '1'};
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    FilePlace place = new FilePlace(file.location(), "header");
    byte[] head = file.bytes(0, (int) Math.min(file.size(), 1 << 16));
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(head))) {
      in.skipNBytes(4);
      long rows = in.readLong();
      List<Field> fields = new ArrayList<>();
      for (int left = in.readUnsignedByte(); left > 0; left--) {
        fields.add(new Field(in.readUTF(), TYPE, false));
      }
      long start = head.length - in.available();
      if (rows < 0 || rows > file.size() || start + 8 * rows * fields.size() != file.size()) {
        throw place.fail(
            "Truncated or corrupt file: its header promises %d columns of %d rows, but it has %d bytes."
                .formatted(fields.size(), rows, file.size()));
      }
      return new Series(Schema.of(fields), rows, start);
    } catch (EOFException | UTFDataFormatException | IllegalArgumentException e) {
      throw place.fail("Corrupt file: its header cannot be read.", e);
    }
  }

  /// What a reader will read, so that a remote file is fetched before it is wanted.
  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    Series series = (Series) metadata;
    return columns.names().stream()
        .map(name -> new ByteRange(series.offset(name, firstRow), 8 * rowCount))
        .toList();
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    return new Reader(file, (Series) metadata, columns, firstRow, firstRow + rowCount, memory);
  }

  private static final class Reader implements SliceReader {
    private final StorageFile file;
    private final Series series;
    private final Schema columns;
    private final long end;
    private final ScratchMemory memory;
    private final List<MemorySegment> taken = new ArrayList<>();
    private long row;
    private int rows;

    Reader(
        StorageFile file, Series series, Schema columns, long row, long end, ScratchMemory memory) {
      this.file = file;
      this.series = series;
      this.columns = columns;
      this.row = row;
      this.end = end;
      this.memory = memory;
    }

    @Override
    public int next(int maxRows) throws IOException {
      close();
      rows = (int) Math.min(maxRows, end - row);
      if (rows > 0) {
        for (String name : columns.names()) {
          MemorySegment values = memory.take(8L * rows);
          taken.add(values);
          file.read(series.offset(name, row), values.asSlice(0, 8L * rows));
        }
        row += rows;
      }
      return rows;
    }

    @Override
    public void skip(long skipped) {
      row += skipped;
    }

    @Override
    public ColumnSlice column(int index) {
      return ColumnSlice.fixed(TYPE, rows, 0, null, taken.get(index));
    }

    @Override
    public void close() {
      taken.forEach(memory::give);
      taken.clear();
    }
  }
}
// @end
