package dev.penstock.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/// Tells when the JIT compiler has calmed down: until then it competes with the workers for cores,
/// and the code still changes.
///
/// **Threads.** One at a time.
final class CompilerPace {
  /// The share of one core below which the compiler is quiet.
  private static final double QUIET = 0.02;

  private static final double WINDOW_SECONDS = 1;

  private final Deque<Look> looks = new ArrayDeque<>();

  /// @param nanos when
  /// @param compiledMillis how long methods have taken that were compiled until then
  private record Look(long nanos, long compiledMillis) {}

  /// Returns whether the compiler took less than 2 % of a core in the last second or more. Call it
  /// after each epoch; the first calls return false.
  boolean isQuiet() {
    Look now = new Look(System.nanoTime(), compiledMillis());
    looks.add(now);
    while (looks.size() > 1 && seconds(second(), now) >= WINDOW_SECONDS) {
      looks.removeFirst();
    }
    double seconds = seconds(looks.getFirst(), now);
    double compiled = (now.compiledMillis - looks.getFirst().compiledMillis) / 1e3;
    return seconds >= WINDOW_SECONDS && compiled < QUIET * seconds;
  }

  private Look second() {
    Iterator<Look> all = looks.iterator();
    all.next();
    return all.next();
  }

  private static double seconds(Look from, Look to) {
    return (to.nanos - from.nanos) / 1e9;
  }

  private static long compiledMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null ? 0 : compiler.getTotalCompilationTime();
  }
}
