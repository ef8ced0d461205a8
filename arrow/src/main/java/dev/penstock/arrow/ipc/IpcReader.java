package dev.penstock.arrow.ipc;

import dev.penstock.arrow.ipc.IpcMetadata.Batch;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a run of rows of some columns, slice by slice.
///
/// A slice never crosses a record batch. Batches outside the run are not touched.
final class IpcReader implements SliceReader {
  private final StorageFile file;
  private final IpcMetadata metadata;
  private final ReaderMemory memory;
  private final Dictionaries dictionaries;
  private final List<ColumnReader> columns = new ArrayList<>();
  private final ColumnSlice[] slices;
  private final long endRow;

  private long row;
  private int batch = -1;
  private long batchStart;
  private long batchEnd;
  private @Nullable Body body;

  private IpcReader(
      StorageFile file,
      IpcMetadata metadata,
      List<List<IpcColumn>> paths,
      long firstRow,
      long rowCount,
      ScratchMemory source) {
    this.file = file;
    this.metadata = metadata;
    this.memory = new ReaderMemory(source);
    this.dictionaries = new Dictionaries(file, metadata, memory);
    for (List<IpcColumn> path : paths) {
      columns.add(new ColumnReader(path, dictionaries, memory));
    }
    this.slices = new ColumnSlice[paths.size()];
    this.row = firstRow;
    this.endRow = firstRow + rowCount;
  }

  static IpcReader open(
      StorageFile file,
      IpcMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    ReadRequest.requireRows(metadata, firstRow, rowCount);
    List<List<IpcColumn>> paths = new ArrayList<>();
    for (Field field : wanted.fields()) {
      paths.add(find(file, metadata, field));
    }
    return new IpcReader(file, metadata, paths, firstRow, rowCount, memory);
  }

  private static List<IpcColumn> find(StorageFile file, IpcMetadata metadata, Field wanted)
      throws MalformedFileException {
    FilePlace place = new FilePlace(file.location(), "column '" + wanted.name() + "'");
    ReadRequest.requireReadable(place, "Arrow", metadata.schema(), wanted);
    return metadata.path(wanted.name());
  }

  @Override
  public int next(int maxRows) throws IOException {
    ReadRequest.requireMost(maxRows);
    if (row == endRow) {
      return 0;
    }
    Body open = open();
    long from = row - batchStart;
    int count = (int) Math.min(maxRows, Math.min(endRow, batchEnd) - row);
    for (ColumnReader column : columns) {
      count = column.limit(open, from, count);
    }
    for (int i = 0; i < slices.length; i++) {
      slices[i] = columns.get(i).read(open, from, count);
    }
    row += count;
    return count;
  }

  /// Returns the batch of the next row.
  private Body open() throws IOException {
    while (row >= batchEnd) {
      closeBody();
      batch++;
      batchStart = batchEnd;
      batchEnd += metadata.batches().get(batch).rows();
    }
    Body open = body;
    if (open == null) {
      Batch wanted = metadata.batches().get(batch);
      open =
          new Body(file, wanted, new FilePlace(file.location(), "record batch " + batch), memory);
      body = open;
      dictionaries.load(wanted.dictionaries());
    }
    return open;
  }

  @Override
  public void skip(long rows) throws IOException {
    ReadRequest.requireLeft(rows, endRow - row);
    row += rows;
  }

  @Override
  public ColumnSlice column(int index) {
    return ReadRequest.given(slices[index]);
  }

  private void closeBody() {
    if (body != null) {
      body.close();
      body = null;
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
