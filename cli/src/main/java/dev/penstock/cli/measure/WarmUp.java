package dev.penstock.cli.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/// Repeats what is to be measured until the JIT compiler is quiet: before that it competes with
/// workers for cores, and the code still changes.
///
/// **Threads.** One at a time.
public final class WarmUp {
  /// The share of one core below which the compiler is quiet.
  private static final double QUIET = 0.02;

  private static final double WINDOW_SECONDS = 1;

  private WarmUp() {}

  /// Runs rounds at least once, then until the compiler took less than 2 % of a core in a second of
  /// them. No round starts after `secondsMax`.
  ///
  /// @return whether the compiler was quiet at the end; true where there is none
  public static boolean run(double secondsMax, Runnable round) {
    long begun = System.nanoTime();
    while (true) {
      long start = System.nanoTime();
      long compiled = compiledMillis();
      do {
        round.run();
      } while (seconds(start) < WINDOW_SECONDS && seconds(begun) < secondsMax);
      boolean isQuiet = compiledMillis() - compiled < 1_000 * QUIET * seconds(start);
      if (isQuiet || seconds(begun) >= secondsMax) {
        return isQuiet;
      }
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static long compiledMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null ? 0 : compiler.getTotalCompilationTime();
  }
}
