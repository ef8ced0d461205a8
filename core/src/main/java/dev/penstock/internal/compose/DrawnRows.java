package dev.penstock.internal.compose;

import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.plan.Uniform;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rows that are drawn by weight.
final class DrawnRows {
  private DrawnRows() {}

  /// Draws rows of a window.
  ///
  /// @param how the weights
  /// @param column the place of the weights
  /// @param columns how many columns there are
  /// @param window the rows
  /// @param draw decides which are drawn
  /// @param draws how many, at least
  static ArrangedRows of(
      WeightedDraws how, int column, int columns, Rows window, WindowNumber draw, int draws)
      throws IOException {
    double[] sums = sums(how, column, window);
    Uniform uniform = new Uniform(draw.seed(), draw.epoch(), draw.number());
    int[] rows = new int[draws];
    for (int i = 0; i < draws; i++) {
      rows[i] = place(sums, uniform.next());
    }
    Composed.Extent extent = new Composed.Extent(draws, null);
    return new ArrangedRows(window, columns, rows, extent, PaddingStats.NONE);
  }

  /// Returns the sums of the weights up to each row.
  static double[] sums(WeightedDraws how, int column, Rows window) throws IOException {
    @Nullable Object[] weights = Keys.objects(window, column, how.column());
    double[] sums = new double[weights.length];
    double sum = 0;
    for (int row = 0; row < sums.length; row++) {
      double weight = weights[row] instanceof Number number ? number.doubleValue() : Double.NaN;
      if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
        RowOrigin origin = window.origin(row);
        throw new IOException(
            "Cannot draw by the weight of row "
                + origin.row()
                + " of "
                + origin.file().text()
                + ": '"
                + how.column()
                + "' is "
                + weights[row]
                + ", but weights are finite and at least 0. Mend it, or leave the row out with a"
                + " filter.");
      }
      sum += weight;
      sums[row] = sum;
    }
    return sums;
  }

  /// Returns the place that a random number falls on.
  ///
  /// @param sums the sums of weights up to each place, not all 0
  /// @param at a number in `[0, 1)`
  static int place(double[] sums, double at) {
    double all = sums[sums.length - 1];
    // A product may be rounded up to the sum.
    double wanted = Math.min(at * all, Math.nextDown(all));
    int low = 0;
    int high = sums.length - 1;
    while (low < high) { // the first place whose sum is larger
      int middle = (low + high) >>> 1;
      if (sums[middle] > wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// Returns how many of some draws fall into each window.
  ///
  /// @param weights the weights of each window, not all 0
  /// @param draws how many draws
  /// @param uniform where random numbers come from
  static long[] counts(double[] weights, long draws, Uniform uniform) {
    double[] sums = weights.clone();
    Arrays.parallelPrefix(sums, Double::sum);
    long[] counts = new long[weights.length];
    for (long draw = 0; draw < draws; draw++) {
      counts[place(sums, uniform.next())]++;
    }
    return counts;
  }
}
