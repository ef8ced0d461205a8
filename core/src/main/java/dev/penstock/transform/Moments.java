package dev.penstock.transform;

/// Statistics of some numbers: count, mean, spread, minimum and maximum. NaN does not count.
///
/// A block's numbers are read twice, so that nothing is lost to cancellation; blocks are merged as
/// Chan, Golub and LeVeque do. Numbers that are all equal have exactly that mean and a spread of
/// exactly 0.
///
/// @param mean their mean; 0 if there are none
/// @param squares the sum of the squared distances from the mean
/// @param min the least; infinity if there are none
/// @param max the greatest; minus infinity if there are none
record Moments(long count, double mean, double squares, double min, double max) {
  static final Moments NONE =
      new Moments(0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

  static Moments of(double[] values) {
    long count = 0;
    double first = 0;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      if (Double.isNaN(value)) {
        continue;
      }
      first = count == 0 ? value : first;
      count++;
      sum += value - first;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (count == 0) {
      return NONE;
    }
    double mean = first + sum / count;
    double squares = 0;
    double rest = 0; // 0 except for the mean's rounding
    for (double value : values) {
      if (!Double.isNaN(value)) {
        double distance = value - mean;
        squares += distance * distance;
        rest += distance;
      }
    }
    return new Moments(count, mean, Math.max(0, squares - rest * rest / count), min, max);
  }

  /// Returns the statistics of these numbers and others together.
  Moments and(Moments other) {
    if (count == 0 || other.count == 0) {
      return count == 0 ? other : this;
    }
    long all = count + other.count;
    double share = (double) other.count / all;
    double distance = other.mean - mean;
    return new Moments(
        all,
        mean + distance * share,
        squares + other.squares + distance * distance * share * count,
        Math.min(min, other.min),
        Math.max(max, other.max));
  }

  /// Returns the standard deviation of the numbers as a population.
  double deviation() {
    return Math.sqrt(squares / count);
  }
}
