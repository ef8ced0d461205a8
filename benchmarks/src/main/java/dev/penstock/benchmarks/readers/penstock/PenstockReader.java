package dev.penstock.benchmarks.readers.penstock;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Column;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Penstock's loader: batches of tensors, decoded by the calling thread.
///
/// Dataset and loader are made anew in every scan, so footers are read and memory is taken and
/// freed each time, which a training run does once.
public final class PenstockReader implements Reader {
  private static final LoaderOptions OPTIONS =
      LoaderOptions.defaults().batchSize(BATCH_ROWS).workers(0);

  /// Makes the reader.
  public PenstockReader() {}

  @Override
  public String name() {
    return "Penstock";
  }

  @Override
  public Optional<String> refusal(Scan scan) {
    return dataset(scan).schema().fields().stream()
        .filter(field -> field.type() instanceof DataType.Unsupported)
        .findFirst()
        .map(field -> "column '" + field.name() + "' of " + field.type() + " is not supported yet");
  }

  static StructuredDataset dataset(Scan scan) {
    Path file = scan.file();
    List<String> names = scan.table().columns().stream().map(Column::name).toList();
    return new StructuredDataset(file.toString()).columns(names);
  }

  @Override
  public void read(Scan scan, Sink sink) {
    try (DataLoader loader = DataLoader.of(dataset(scan), OPTIONS)) {
      deliver(loader, scan.table().columns(), sink);
    }
  }

  static void deliver(DataLoader loader, List<Column> columns, Sink sink) {
    Buffers buffers = new Buffers(columns.size());
    try (EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          buffers.rows(batch.rowCount());
          for (int i = 0; i < columns.size(); i++) {
            set(buffers, i, columns.get(i), batch);
          }
          sink.accept(buffers);
        }
      }
    }
  }

  private static void set(Buffers buffers, int index, Column column, Batch batch) {
    switch (column.kind()) {
      case TEXT -> buffers.setTexts(index, MemorySegment.NULL, batch.strings(column.name())::get);
      case DOUBLE, FLOAT, INT, LONG -> buffers.set(index, batch.tensor(column.name()).memory());
      case VECTOR -> {
        Tensor tensor = batch.tensor(column.name());
        Shape expected = Shape.of(batch.rowCount(), Table.VECTOR);
        if (!tensor.shape().equals(expected)) {
          throw new IllegalStateException(
              "Cannot compare column '"
                  + column.name()
                  + "': it has shape "
                  + tensor.shape()
                  + " but expected "
                  + expected
                  + ".");
        }
        buffers.set(index, tensor.memory());
      }
    }
  }
}
