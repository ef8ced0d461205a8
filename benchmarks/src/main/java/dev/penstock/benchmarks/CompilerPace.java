package dev.penstock.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/// Tells when the JIT compiler has calmed down: until then it competes with the workers for cores,
/// and the code still changes.
///
/// **Threads.** One at a time.
final class CompilerPace {
  /// The share of one core below which the compiler is quiet.
  private static final double QUIET = 0.02;

  private static final double WINDOW_SECONDS = 1;

  private long start = System.nanoTime(); // of the window
  private long compiledBefore = compiledMillis();

  /// Returns whether the compiler took less than 2 % of a core in the window that has just ended; a
  /// window has at least a second. Call it after each epoch.
  boolean isQuiet() {
    long now = System.nanoTime();
    double seconds = (now - start) / 1e9;
    if (seconds < WINDOW_SECONDS) {
      return false;
    }
    long compiled = compiledMillis();
    boolean isQuiet = compiled - compiledBefore < 1_000 * QUIET * seconds;
    start = now;
    compiledBefore = compiled;
    return isQuiet;
  }

  private static long compiledMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null ? 0 : compiler.getTotalCompilationTime();
  }
}
