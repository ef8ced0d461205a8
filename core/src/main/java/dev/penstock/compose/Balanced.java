package dev.penstock.compose;

import java.util.Objects;

/// Rows as they are, in batches of nearly the same cost on all ranks at each step.
///
/// The rows of a window are dealt to its batches: the most expensive first, each to the batch that
/// costs least so far. Where a batch costs more than others nonetheless, because of a single row,
/// the other ranks have expensive batches at that step too. Steps come in random order.
///
/// @param column a column of lists, whose lengths are the costs, or of numbers that are not
///   negative
/// @param balance how the cost is counted
public record Balanced(String column, Balance balance) implements Composition {
  /// The most rows of a window where the shuffle has none.
  public static final int ROWS = 65_536;

  /// Checks that nothing is null.
  public Balanced {
    Objects.requireNonNull(column, "column must not be null.");
    Objects.requireNonNull(balance, "balance must not be null.");
  }

  @Override
  public String toString() {
    return "balanced by " + column + balance.how();
  }
}
