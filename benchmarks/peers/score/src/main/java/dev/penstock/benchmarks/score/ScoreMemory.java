package dev.penstock.benchmarks.score;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.split.Rank;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/// Scores batches that are in memory, by the model's own library alone: nothing is read, nothing
/// written. The first 200 MB of the table are taken again and again.
public final class ScoreMemory {
  private static final long HELD_BYTES = 200_000_000;

  private ScoreMemory() {}

  /// A model as its library offers it to one thread.
  interface Session {
    /// Returns the scores of a batch, counted from 0.
    float[] run(int batch) throws Exception;
  }

  /// Runs it several times.
  ///
  /// @param args `FILE MODEL ROWS RUNS SESSIONS THREADS BATCH_SIZE`: so many sessions, each with so
  ///   many threads of its own
  /// @throws Exception if it cannot be measured
  public static void main(String[] args) throws Exception {
    long rows = Long.parseLong(args[2]);
    double[] seconds = new double[Integer.parseInt(args[3])];
    int size = Integer.parseInt(args[6]);
    List<FloatBuffer> batches = read(args[0], size);
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[4]); i++) {
      sessions.add(open(Path.of(args[1]), batches, Integer.parseInt(args[5])));
    }
    for (int run = 0; run < seconds.length; run++) {
      long start = System.nanoTime();
      score(sessions, batches.size(), Math.ceilDiv(rows, size));
      seconds[run] = (System.nanoTime() - start) / 1e9;
    }
    Printed.line(rows, seconds, 0, "");
  }

  private static List<FloatBuffer> read(String file, int size) {
    List<FloatBuffer> batches = new ArrayList<>();
    String[] names = IntStream.range(0, 64).mapToObj(i -> "x" + i).toArray(String[]::new);
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(file).columns(names),
            o -> o.batchSize(size).features("features", names).rank(Rank.SINGLE))) {
      long bytes = 0;
      for (Batch batch : loader) {
        try (batch) {
          if (bytes > HELD_BYTES || batch.rowCount() < size) {
            break;
          }
          Tensor tensor = batch.tensor("features");
          bytes += tensor.memory().byteSize();
          ByteBuffer held = ByteBuffer.allocateDirect((int) tensor.memory().byteSize());
          MemorySegment.ofBuffer(held).copyFrom(tensor.memory());
          batches.add(held.order(ByteOrder.nativeOrder()).asFloatBuffer());
        }
      }
    }
    return batches;
  }

  private static Session open(Path model, List<FloatBuffer> batches, int threads) throws Exception {
    return model.toString().endsWith(".onnx")
        ? new OnnxSession(model, batches, threads)
        : new XgboostSession(model, batches, threads);
  }

  private static void score(List<Session> sessions, int held, long count)
      throws InterruptedException {
    AtomicLong next = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (Session session : sessions) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (long n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                    session.run((int) (n % held));
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
