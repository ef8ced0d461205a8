package dev.penstock.benchmarks.readers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A reader and what its scans took.
final class Contender {
  private final Reader reader;
  private final List<Double> wallMillis = new ArrayList<>();
  private final List<Double> cpuMillis = new ArrayList<>();
  private String problem = "";
  private boolean wrong;

  Contender(Reader reader) {
    this.reader = reader;
  }

  /// Scans once and compares the sums with what was generated.
  void check(Reader.Scan scan, Map<String, Long> expected) {
    guarded(() -> {
      Optional<String> refusal = reader.refusal(scan);
      if (refusal.isPresent()) {
        problem = "skipped: " + refusal.get();
      } else if (reader.delivers()) {
        Checking sink = new Checking(scan.table());
        reader.read(scan, sink);
        sink.sums().difference(expected).ifPresent(this::fail);
      } else {
        reader.read(scan, new Touching(scan.table()));
      }
    });
  }

  /// Scans once more.
  ///
  /// @param counts whether the time counts
  void run(Reader.Scan scan, boolean counts) {
    if (!problem.isEmpty()) {
      return;
    }
    guarded(() -> {
      Touching sink = new Touching(scan.table());
      long cpu = ProcessClock.nanos();
      long start = System.nanoTime();
      reader.read(scan, sink);
      long end = System.nanoTime();
      if (counts) {
        wallMillis.add((end - start) / 1e6);
        cpuMillis.add((ProcessClock.nanos() - cpu) / 1e6);
      }
      if (sink.rows() != scan.rows()) {
        fail("delivered " + sink);
      }
    });
  }

  /// Runs with the reader's class loader as the thread's, which some libraries look at.
  private void guarded(Work work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(reader.getClass().getClassLoader());
    try {
      work.run();
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      fail("failed: " + e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void fail(String what) {
    problem = what;
    wrong = true;
  }

  /// Returns whether the reader failed or delivered something else than was generated.
  boolean isWrong() {
    return wrong;
  }

  /// Returns why there are no figures, or nothing.
  String problem() {
    return problem;
  }

  /// Returns the median time of a scan.
  double wallMillis() {
    return median(wallMillis);
  }

  /// Returns the time of the fastest scan.
  double leastMillis() {
    return wallMillis.stream().min(Double::compare).orElse(Double.NaN);
  }

  /// Returns the median processor time of a scan, other threads of the process included.
  double cpuMillis() {
    return median(cpuMillis);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }

  @Override
  public String toString() {
    return reader.name();
  }
}
