package dev.penstock.blackbox.cases;

import java.util.List;

/// Choices that follow from a number: the same on every JVM, in every version. It is SplitMix64
/// (Steele, Lea and Flood, 2014), written out because a class of the JDK may change.
final class Draws {
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  Draws(long seed) {
    state = mixed(seed + STEP);
  }

  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  long next() {
    state += STEP;
    return mixed(state);
  }

  /// Returns a number in `[0, bound)`.
  int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  /// Returns a number in `[low, high]`.
  int from(int low, int high) {
    return low + below(high - low + 1);
  }

  /// Returns true once in `times`, on average.
  boolean once(int times) {
    return below(times) == 0;
  }

  String of(String... choices) {
    return choices[below(choices.length)];
  }

  <T> T of(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
