package dev.penstock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A consumer that computes with each batch, like a model: on several threads at once, and until
/// the last has finished. It is a fixed number of operations, so that it takes longer where others
/// use the same cores.
final class BusyConsumer {
  /// Does nothing.
  static final BusyConsumer IDLE = new BusyConsumer(1, 0);

  private final long operations;
  private final int threads;
  private final ExecutorService others;

  private BusyConsumer(int threads, long operations) {
    this.threads = threads;
    this.operations = operations;
    this.others = Executors.newFixedThreadPool(Math.max(1, threads - 1), BusyConsumer::daemon);
  }

  private static Thread daemon(Runnable work) {
    return Thread.ofPlatform().daemon().unstarted(work);
  }

  /// Reads `THREADSxTHOUSANDS`: the threads, and how many thousand operations each does with a
  /// batch. A thousand take about 3 microseconds.
  static BusyConsumer parse(String text) {
    String[] parts = text.split("x", 2);
    return new BusyConsumer(Integer.parseInt(parts[0]), 1_000 * Long.parseLong(parts[1]));
  }

  private static double compute(long operations) {
    double value = 1;
    for (long i = 0; i < operations; i++) {
      value = value * 1.0000001 + 1e-9;
    }
    return value;
  }

  /// Uses a result, so that it is not optimised away.
  private static void requireFinite(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalStateException("Computed " + value + ".");
    }
  }

  /// Works with one batch.
  void work() {
    if (operations == 0) {
      return;
    }
    List<Future<Double>> parts = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      parts.add(others.submit(() -> compute(operations)));
    }
    requireFinite(compute(operations));
    try {
      for (Future<Double> part : parts) {
        requireFinite(part.get());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
