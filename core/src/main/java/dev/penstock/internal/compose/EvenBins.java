package dev.penstock.internal.compose;

import java.util.Arrays;

/// Puts things into bins of nearly the same cost, each with a given number of things.
///
/// The most expensive thing first, each into the bin that costs least so far and has room: longest
/// processing time first. R. L. Graham, Bounds on multiprocessing timing anomalies, 1969.
public final class EvenBins {
  private EvenBins() {}

  /// Returns the things of the first bin, then those of the next, each bin's from the most
  /// expensive on. Of things that cost the same (to within one part in 2^30) the first comes first.
  ///
  /// @param costs of each thing, not negative; their sum is finite
  /// @param sizes how many things each bin has, at least 1; their sum is the number of things. A
  ///   bin of half as many things as others is to cost half as much
  public static int[] fill(double[] costs, int[] sizes) {
    int[] byCost = byCost(costs);
    int[] next = new int[sizes.length]; // where the next thing of each bin goes
    int[] ends = new int[sizes.length];
    int most = 0;
    int end = 0;
    for (int bin = 0; bin < sizes.length; bin++) {
      next[bin] = end;
      end += sizes[bin];
      ends[bin] = end;
      most = Math.max(most, sizes[bin]);
    }
    Cheapest open = new Cheapest(sizes.length);
    for (int bin = 0; bin < sizes.length; bin++) {
      open.add(bin);
    }
    int[] things = new int[costs.length];
    for (int thing : byCost) {
      int bin = open.first();
      things[next[bin]++] = thing;
      if (next[bin] == ends[bin]) {
        open.removeFirst();
      } else {
        open.raiseFirst(costs[thing] * most / sizes[bin]);
      }
    }
    return things;
  }

  /// Returns the things from the most to the least expensive.
  private static int[] byCost(double[] costs) {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, costs.length - 1));
    long[] keys = new long[costs.length];
    for (int thing = 0; thing < keys.length; thing++) {
      // The bits of doubles that are not negative are in the order of their values.
      long cost = Double.doubleToRawLongBits(costs[thing]) >>> bits << bits;
      keys[thing] = cost | (keys.length - 1 - thing);
    }
    Arrays.sort(keys);
    int[] order = new int[keys.length];
    long mask = (1L << bits) - 1;
    for (int i = 0; i < order.length; i++) {
      order[i] = keys.length - 1 - (int) (keys[keys.length - 1 - i] & mask);
    }
    return order;
  }

  /// Bins with room, as a heap: the one that costs least comes first, of several the first.
  private static final class Cheapest {
    private final int[] bins;
    private final double[] costs;
    private int size;

    Cheapest(int most) {
      bins = new int[most];
      costs = new double[most];
    }

    /// Adds a bin that costs nothing, after those with lower numbers.
    void add(int bin) {
      set(size++, bin, 0);
    }

    int first() {
      return bins[0];
    }

    void raiseFirst(double more) {
      sink(bins[0], costs[0] + more);
    }

    void removeFirst() {
      size--;
      if (size > 0) {
        sink(bins[size], costs[size]);
      }
    }

    private void sink(int bin, double cost) {
      int at = 0;
      for (int child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && isBefore(costs[child + 1], bins[child + 1], child)) {
          child++;
        }
        if (isBefore(cost, bin, child)) {
          break;
        }
        move(child, at);
        at = child;
      }
      set(at, bin, cost);
    }

    private boolean isBefore(double cost, int bin, int other) {
      return cost < costs[other] || (cost == costs[other] && bin < bins[other]);
    }

    private void move(int from, int to) {
      set(to, bins[from], costs[from]);
    }

    private void set(int at, int bin, double cost) {
      bins[at] = bin;
      costs[at] = cost;
    }
  }
}
