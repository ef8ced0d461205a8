package dev.penstock.internal.compose;

import dev.penstock.compose.Balance;
import dev.penstock.compose.Balanced;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.compose.Composed.RowArrangement;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The rows of a window in batches that cost nearly the same.
final class ComposedBalanced {
  private ComposedBalanced() {}

  /// Puts the rows of a window in order by the costs in the column number `column`.
  ///
  /// @throws IOException if a cost is not a number from 0 on
  static RowArrangement of(
      Balanced how, int batchSize, int column, int columns, Rows window, WindowNumber draw)
      throws IOException {
    double[] lengths = lengths(how, column, window);
    int[] before = draw.rows(lengths.length);
    double[] costs = new double[lengths.length];
    double sum = 0;
    for (int i = 0; i < costs.length; i++) {
      costs[i] = how.balance().cost(lengths[before[i]]);
      sum += costs[i];
    }
    requireFinite(how.balance(), how.column(), sum);
    int[] rows = draw.even(costs, batchSize, how.balance(), WindowNumber.asTheyAre(costs.length));
    for (int place = 0; place < rows.length; place++) {
      rows[place] = before[rows[place]];
    }
    return new RowArrangement(
        window, columns, rows, new Extent(rows.length, null), PaddingStats.NONE);
  }

  static void requireFinite(Balance balance, String column, double sum) throws IOException {
    if (sum == Double.POSITIVE_INFINITY) {
      throw new IOException(
          Sentence.of(
              "Cannot balance by '%s': the sum of the costs, %s, is larger than a double can be."
                  + " Only their proportions matter, so make them smaller.",
              column, balance));
    }
  }

  private static double[] lengths(Balanced how, int column, Rows window) throws IOException {
    if (window.column(column).type() instanceof DataType.List) {
      int[] lengths = Lists.of(window, column).lengths();
      double[] costs = new double[lengths.length];
      for (int row = 0; row < costs.length; row++) {
        costs[row] = lengths[row];
      }
      return costs;
    }
    @Nullable Object[] values = Keys.objects(window, column, how.column());
    double[] costs = new double[values.length];
    for (int row = 0; row < costs.length; row++) {
      costs[row] = values[row] instanceof Number number ? number.doubleValue() : Double.NaN;
      if (!(costs[row] >= 0 && costs[row] < Double.POSITIVE_INFINITY)) {
        throw new IOException(
            Sentence.of(
                "Cannot balance by the cost of %s: '%s' is %s, but costs are finite and at least"
                    + " 0. Mend it, or leave the row out with a filter.",
                window.origin(row).place(), how.column(), values[row]));
      }
    }
    return costs;
  }
}
