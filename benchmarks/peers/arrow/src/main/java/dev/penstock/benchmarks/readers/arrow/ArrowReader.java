package dev.penstock.benchmarks.readers.arrow;

import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Column;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.dataset.file.FileFormat;
import org.apache.arrow.dataset.file.FileSystemDatasetFactory;
import org.apache.arrow.dataset.jni.NativeMemoryPool;
import org.apache.arrow.dataset.scanner.ScanOptions;
import org.apache.arrow.dataset.scanner.Scanner;
import org.apache.arrow.dataset.source.Dataset;
import org.apache.arrow.dataset.source.DatasetFactory;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/// Arrow C++: its dataset scanner, with batches of 8,192 rows.
///
/// Its buffers are contiguous as they are, so nothing is copied.
public class ArrowReader implements Reader {
  private static final RootAllocator ALLOCATOR = new RootAllocator();

  private final long batchRows;

  /// Makes the reader.
  public ArrowReader() {
    this(BATCH_ROWS);
  }

  ArrowReader(long batchRows) {
    this.batchRows = batchRows;
  }

  @Override
  public String name() {
    return "Arrow C++";
  }

  @Override
  @SuppressWarnings("try") // close() declares Exception, so InterruptedException
  public void read(Scan scan, Sink sink) throws Exception {
    List<Column> columns = scan.table().columns();
    String[] names = columns.stream().map(Column::name).toArray(String[]::new);
    ScanOptions options = new ScanOptions.Builder(batchRows).columns(Optional.of(names)).build();
    Buffers buffers = new Buffers(names.length);
    try (DatasetFactory factory =
            new FileSystemDatasetFactory(
                ALLOCATOR,
                NativeMemoryPool.getDefault(),
                FileFormat.PARQUET,
                scan.file().toUri().toString());
        Dataset dataset = factory.finish();
        Scanner scanner = dataset.newScan(options);
        org.apache.arrow.vector.ipc.ArrowReader batches = scanner.scanBatches()) {
      while (batches.loadNextBatch()) {
        VectorSchemaRoot root = batches.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row += BATCH_ROWS) {
          buffers.rows(Math.min(BATCH_ROWS, root.getRowCount() - row));
          int rows = Math.min(BATCH_ROWS, root.getRowCount() - row);
          for (int i = 0; i < names.length; i++) {
            set(buffers, i, columns.get(i), root.getVector(i), row, rows);
          }
          sink.accept(buffers);
        }
      }
    }
  }

  /// @param from the first row, a multiple of 8
  private static void set(
      Buffers buffers, int index, Column column, FieldVector vector, int from, int rows) {
    switch (column.kind()) {
      case DOUBLE, FLOAT, INT, LONG -> {
        long width = column.kind().bytes();
        long address = vector.getDataBufferAddress() + from * width;
        boolean all = vector.getNullCount() == 0;
        long validity = all ? 0 : vector.getValidityBufferAddress() + from / 8;
        buffers.set(index, address, rows * width, validity);
      }
      case TEXT -> {
        VarCharVector texts = (VarCharVector) vector;
        buffers.setTexts(index, MemorySegment.NULL, row -> text(texts, from + row));
      }
      case VECTOR -> {
        ListVector lists = (ListVector) vector;
        int start = lists.getElementStartIndex(from);
        if (lists.getElementEndIndex(from + rows - 1) - start != rows * Table.VECTOR) {
          throw new IllegalStateException("Cannot compare lists of several lengths.");
        }
        long address = lists.getDataVector().getDataBufferAddress() + start * 4L;
        buffers.set(index, address, rows * 4L * Table.VECTOR, 0);
      }
    }
  }

  private static String text(VarCharVector texts, int row) {
    return new String(texts.get(row), StandardCharsets.UTF_8);
  }
}
