package dev.penstock.compose;

/// How the cost of a batch is counted where all ranks get batches of nearly the same cost at each
/// step.
///
/// The cost of a row whose column has the length or the value `n` is `n + quadratic * n * n`.
///
/// @param quadratic the weight of the square, as attention needs it; 0, the default, counts tokens
/// @param accumulate how many batches make a step of the optimizer, at least 1; the default is 1.
///   Steps have nearly the same cost, and so have the batches within a step
public record Balance(double quadratic, int accumulate) {
  /// Counts tokens; each batch is a step.
  public static final Balance DEFAULT = new Balance(0, 1);

  /// Throws [IllegalArgumentException] if `quadratic` is negative, infinite or NaN, or `accumulate`
  /// below 1.
  public Balance {
    if (!(quadratic >= 0) || Double.isInfinite(quadratic)) {
      throw new IllegalArgumentException("quadratic must be at least 0, got " + quadratic + ".");
    }
    if (accumulate < 1) {
      throw new IllegalArgumentException("accumulate must be at least 1, got " + accumulate + ".");
    }
  }

  /// {@return a copy with another weight of the square}
  ///
  /// @param weight at least 0: `1.0 / 6144` makes the square of a list of 6,144 tokens cost as much
  ///   as its tokens
  public Balance quadratic(double weight) {
    return new Balance(weight, accumulate);
  }

  /// {@return a copy with another number of batches to a step}
  ///
  /// @param batches at least 1
  public Balance accumulate(int batches) {
    return new Balance(quadratic, batches);
  }

  /// {@return the cost of a row}
  ///
  /// @param length the length of its list, or the value of its column; at least 0
  public double cost(double length) {
    return length + quadratic * length * length;
  }

  @Override
  public String toString() {
    return "balanced" + how();
  }

  String how() {
    return (quadratic == 0 ? "" : ", quadratic " + quadratic)
        + (accumulate == 1 ? "" : ", accumulated by " + accumulate);
  }
}
