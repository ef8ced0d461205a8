package dev.penstock.score.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/// The row group that is being filled: columns in pages, encoded and compressed.
final class RowGroup {
  /* Columns are written one after another for a step of rows, then parquet-java is told of the
   * rows, and cuts pages. Steps depend on the values alone, not on how they are appended, so that
   * the file does neither. */

  private static final int ROWS = 1 << 20;
  private static final long BYTES = 64 << 20;
  private static final int STEP_ROWS = 1024;
  private static final long STEP_BYTES = 256 << 10;

  private final ColumnChunkPageWriteStore pages;
  private final ColumnWriteStore store;
  private final List<ColumnWriter> columns;

  private int rows;
  private int step = 1;
  private int stepEnd = 1;
  private long bytes;

  RowGroup(MessageType schema, ParquetProperties properties, Codec codec) {
    pages =
        new ColumnChunkPageWriteStore(
            codec.compressor(),
            schema,
            new HeapByteBufferAllocator(),
            ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH);
    store = properties.newColumnWriteStore(schema, pages, pages);
    columns = schema.getColumns().stream().map(store::getColumnWriter).toList();
  }

  /// Returns how parquet-java encodes columns, and when it looks whether a page is full.
  static ParquetProperties properties(MessageType schema) {
    var properties =
        ParquetProperties.builder()
            .withMinRowCountForPageSizeCheck(1)
            .withMaxRowCountForPageSizeCheck(STEP_ROWS)
            .withValuesWriterFactory(new Encodings());
    for (ColumnDescriptor column : schema.getColumns()) {
      if (isFloating(column)) {
        properties.withDictionaryEncoding(String.join(".", column.getPath()), false);
      }
    }
    return properties.build();
  }

  /// Returns whether values are floats, which seldom repeat: a dictionary of them would be given up
  /// after a quarter of a million.
  private static boolean isFloating(ColumnDescriptor column) {
    PrimitiveTypeName type = column.getPrimitiveType().getPrimitiveTypeName();
    return type == PrimitiveTypeName.FLOAT || type == PrimitiveTypeName.DOUBLE;
  }

  /// Writes rows up to the end of a step.
  ///
  /// @return the first row not written
  int write(List<ColumnEncoder> encoders, int from, int end) {
    int some = Math.min(end - from, stepEnd - rows);
    for (int i = 0; i < encoders.size(); i++) {
      encoders.get(i).write(from, from + some, columns.get(i));
    }
    rows += some;
    if (rows == stepEnd) {
      endStep();
    }
    return from + some;
  }

  private void endStep() {
    endRows(step);
    long before = bytes;
    bytes = store.getBufferedSize();
    long rowBytes = Math.max(1, (bytes - before) / step);
    step = Math.clamp(STEP_BYTES / rowBytes, 1, Math.min(2 * step, STEP_ROWS));
    step = Math.max(1, Math.min(step, ROWS - rows));
    stepEnd = rows + step;
  }

  private void endRows(int count) {
    for (int i = 0; i < count; i++) {
      store.endRecord();
    }
  }

  boolean isFull() {
    return rows >= ROWS || bytes >= BYTES;
  }

  int rows() {
    return rows;
  }

  long bytesHeld() {
    return store.getAllocatedSize();
  }

  void writeTo(ParquetFileWriter file) throws IOException {
    endRows(rows - (stepEnd - step));
    store.flush();
    file.startBlock(rows);
    pages.flushToFileWriter(file);
    file.endBlock();
  }
}
