package dev.penstock.internal.compose;

import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.Uniform;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Selection;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows that are drawn by weight. Each is drawn when it is written, so that any number takes no
/// memory.
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record ComposedDraws(Rows window, int columns, double[] sums, Uniform uniform, Extent extent)
    implements Composed {
  static ComposedDraws of(
      WeightedDraws how, int column, int columns, Rows window, WindowNumber draw, int draws)
      throws IOException {
    Uniform uniform = new Uniform(draw.seed(), draw.epoch(), draw.number());
    double[] sums = sums(how, column, window);
    return new ComposedDraws(window, columns, sums, uniform, new Extent(draws, null));
  }

  @Override
  public void write(int from, int to, RowCopies target) {
    int[] rows = new int[to - from];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = drawn(from + i);
    }
    Selection drawn = Selection.of(rows, 0, rows.length, 0);
    for (int column = 0; column < columns; column++) {
      target.append(column, window.column(column), drawn);
    }
  }

  private int drawn(int draw) {
    return place(sums, uniform.number(draw));
  }

  @Override
  public List<RowPart> parts(int row) {
    return window.parts(drawn(row));
  }

  static double[] sums(WeightedDraws how, int column, Rows window) throws IOException {
    @Nullable Object[] weights = Keys.objects(window, column, how.column());
    double[] sums = new double[weights.length];
    double sum = 0;
    for (int row = 0; row < sums.length; row++) {
      double weight = weights[row] instanceof Number number ? number.doubleValue() : Double.NaN;
      if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IOException(
            Sentence.of(
                "Cannot draw by the weight of %s: '%s' is %s, but weights are finite and at"
                    + " least 0. Mend it, or leave the row out with a filter.",
                window.origin(row).place(), how.column(), weights[row]));
      }
      sum += weight;
      sums[row] = sum;
    }
    requireFinite(how, sum);
    return sums;
  }

  static void requireFinite(WeightedDraws how, double sum) throws IOException {
    if (sum == Double.POSITIVE_INFINITY) {
      throw new IOException(
          "Cannot draw by '"
              + how.column()
              + "': the sum of the weights is larger than a double can be. Only their proportions"
              + " matter, so make them smaller.");
    }
  }

  /// Returns the place that a number in `[0, 1)` falls on; not all sums are 0.
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

  /// Returns how many of some draws fall into each window; not all weights are 0.
  static long[] counts(double[] weights, long draws, Uniform uniform) {
    double[] sums = weights.clone();
    Arrays.parallelPrefix(sums, Double::sum);
    long[] counts = new long[weights.length];
    for (long draw = 0; draw < draws; draw++) {
      counts[place(sums, uniform.number(draw))]++;
    }
    return counts;
  }
}
