package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// Delivers columns of numbers, or of lists of numbers, for some seconds, and prints rows a second
/// and a checksum as one line of JSON: the Java side of `mlperf.py`, which has the others.
public final class MlperfRun {
  private final List<String> columns;
  private final long[] places;
  private long sum;

  /// What the timed consumer has read, printed so that reading it is not optimised away.
  private long touched;

  private MlperfRun(List<String> columns) {
    this.columns = columns;
    places = new long[columns.size()];
  }

  /// Runs an epoch for the checksum, then epochs that warm up, then those that count, to the batch
  /// at which their time is over.
  ///
  /// @param args `LOCATION COLUMN,COLUMN,... BATCH_SIZE WORKERS WARM_UP SECONDS`
  public static void main(String[] args) {
    MlperfRun run = new MlperfRun(List.of(args[1].split(",")));
    StructuredDataset files = new StructuredDataset(args[0]).columns(run.columns);
    int size = Integer.parseInt(args[2]);
    int workers = Integer.parseInt(args[3]);
    try (DataLoader loader = DataLoader.of(files, o -> o.batchSize(size).workers(workers))) {
      long rows = 0;
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.rowCount();
          run.add(batch);
        }
      }
      run.speed(loader, Double.parseDouble(args[4]));
      System.out.printf(
          Locale.ROOT,
          "{\"rows\": %d, \"checksum\": \"%s\", \"rows_per_s\": %.0f, \"touched\": %d}%n",
          rows,
          HexFormat.of().toHexDigits(run.sum),
          run.speed(loader, Double.parseDouble(args[5])),
          run.touched);
    }
  }

  /// Adds to a sum over values and their places, `(column + 1) * (place + 1) * bits`.
  private void add(Batch batch) {
    for (int column = 0; column < places.length; column++) {
      Tensor values = values(batch, column);
      long count = values.shape().elementCount();
      long weighted = 0;
      for (long i = 0; i < count; i++) {
        weighted += bits(values, i) * ++places[column];
      }
      sum += (column + 1) * weighted;
    }
  }

  private Tensor values(Batch batch, int column) {
    return switch (batch.column(columns.get(column))) {
      case Tensor tensor -> tensor;
      case RaggedTensor lists -> lists.values();
      default -> throw new IllegalArgumentException(columns.get(column) + " has no numbers.");
    };
  }

  private static long bits(Tensor values, long index) {
    MemorySegment memory = values.memory();
    return switch (values.dtype().bytes()) {
      case 1 -> Byte.toUnsignedLong(memory.get(ValueLayout.JAVA_BYTE, index));
      case 2 -> Short.toUnsignedLong(memory.getAtIndex(ValueLayout.JAVA_SHORT, index));
      case 4 -> Integer.toUnsignedLong(memory.getAtIndex(ValueLayout.JAVA_INT, index));
      default -> memory.getAtIndex(ValueLayout.JAVA_LONG, index);
    };
  }

  /// Returns the rows a second of as many epochs as the seconds take.
  private double speed(DataLoader loader, double seconds) {
    long start = System.nanoTime();
    long rows = 0;
    while (true) {
      try (EpochIterator<Batch> batches = loader.iterator()) {
        while (batches.hasNext()) {
          try (Batch batch = batches.next()) {
            rows += batch.rowCount();
            Tensor first = values(batch, 0);
            touched += bits(first, first.shape().elementCount() - 1);
          }
          double passed = (System.nanoTime() - start) / 1e9;
          if (passed >= seconds) {
            return rows / passed;
          }
        }
      }
    }
  }
}
