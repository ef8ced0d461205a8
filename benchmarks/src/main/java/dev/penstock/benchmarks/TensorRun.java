package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.SampleLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.data.TensorDataset;
import dev.penstock.sample.Generator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// Delivers the rows of a tensor in memory in random order, beside plain copies of the same rows,
/// and prints both as a table.
///
/// 1 M rows of 64 floats, batches of 1,024. The plain side draws the same permutation and copies
/// each row with one call to the batch's place, on one thread, into one buffer that it uses again.
/// Sides take turns epoch by epoch; the figures are medians after the warm-up.
public final class TensorRun {
  private static final int ROWS = 1 << 20;
  private static final int WIDTH = 64;
  private static final int BATCH = 1024;
  private static final int ROW_BYTES = WIDTH * Float.BYTES;
  private static final int[] WORKERS = {0, 2};

  /// What was read from batches, so that reading it is not optimised away.
  private static double touched;

  private TensorRun() {}

  /// Runs both sides.
  ///
  /// @param args `[warm-up epochs] [epochs]`; by default 20 and 15
  public static void main(String[] args) {
    int warmup = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int epochs = args.length > 1 ? Integer.parseInt(args[1]) : 15;
    float[] values = new float[ROWS * WIDTH];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble();
    }
    double[][] seconds = new double[WORKERS.length + 1][epochs];
    List<SampleLoader<List<Tensor>, Batch>> loaders = new ArrayList<>();
    TensorDataset<List<Tensor>> dataset = TensorDataset.of(Tensor.of(values, ROWS, WIDTH));
    for (int workers : WORKERS) {
      loaders.add(
          DataLoader.of(
              dataset,
              o -> o.batchSize(BATCH).shuffle(true).generator(new Generator(1)).workers(workers)));
    }
    Generator generator = new Generator(1);
    for (int epoch = 0; epoch < warmup + epochs; epoch++) {
      int at = Math.max(0, epoch - warmup);
      seconds[0][at] = plain(MemorySegment.ofArray(values), generator);
      for (int i = 0; i < WORKERS.length; i++) {
        seconds[i + 1][at] = loaded(loaders.get(i));
      }
    }
    loaders.forEach(SampleLoader::close);
    if (Double.isNaN(touched)) {
      throw new AssertionError("A value that is none was delivered.");
    }
    double plain = median(seconds[0]);
    System.out.println("| rows of 64 floats, shuffled | M rows/s | beside plain copies |");
    System.out.println("|---|---|---|");
    print("plain copies, one thread", plain, plain);
    for (int i = 0; i < WORKERS.length; i++) {
      print("Penstock, " + WORKERS[i] + " workers", median(seconds[i + 1]), plain);
    }
  }

  private static double plain(MemorySegment values, Generator generator) {
    long start = System.nanoTime();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment batch = arena.allocate((long) BATCH * ROW_BYTES, 64);
      long[] order = generator.randperm(ROWS);
      for (int from = 0; from < ROWS; from += BATCH) {
        for (int row = 0; row < BATCH; row++) {
          long source = order[from + row] * ROW_BYTES;
          MemorySegment.copy(values, source, batch, (long) row * ROW_BYTES, ROW_BYTES);
        }
        touched += batch.get(java.lang.foreign.ValueLayout.JAVA_FLOAT, 0);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double loaded(SampleLoader<List<Tensor>, Batch> loader) {
    long start = System.nanoTime();
    for (Batch batch : loader) {
      try (batch) {
        touched += batch.tensor("0").getFloat(0);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void print(String side, double seconds, double plain) {
    System.out.printf(
        Locale.ROOT, "| %s | %.1f | %.2f |%n", side, ROWS / seconds / 1e6, plain / seconds);
  }
}
