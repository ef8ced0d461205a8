package dev.penstock.cli.output;

import java.util.ArrayDeque;
import java.util.Deque;

/// The speed of the last moments as a line of bars, such as `▂▅▇█▆`: the highest is the fastest
/// shown.
final class SpeedGraph {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int POINTS_MAX = 12;

  private final Deque<Double> speeds = new ArrayDeque<>();
  private long lastDone;
  private long lastNanos;

  /// Adds a moment. One at which less was done than before begins anew.
  void add(long done, long nanos) {
    if (done < lastDone || nanos <= lastNanos) {
      speeds.clear();
      lastDone = 0;
      lastNanos = 0;
    }
    if (nanos > lastNanos) {
      speeds.add((double) (done - lastDone) / (nanos - lastNanos));
    }
    if (speeds.size() > POINTS_MAX) {
      speeds.removeFirst();
    }
    lastDone = done;
    lastNanos = nanos;
  }

  /// Returns the bars; empty before there are two.
  @Override
  public String toString() {
    double most = speeds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    StringBuilder bars = new StringBuilder();
    for (double speed : speeds) {
      int height = most == 0 ? 0 : (int) Math.round(speed / most * (BARS.length() - 1));
      bars.append(BARS.charAt(height));
    }
    return speeds.size() < 2 ? "" : bars.toString();
  }
}
