package dev.penstock.cli.measure;

import java.util.Arrays;

/// Spearman's rank correlation between the order in which rows stand in their files and the order
/// in which they come: 1 if both are the same, 0 where one says nothing of the other, -1 if one is
/// the other backwards.
///
/// Rows that stand in the same place, because they come twice, share the mean of their ranks.
///
/// Up to a fixed number of rows the result is that of all of them; of more it is that of a sample
/// of about half that number, or more.
final class RankCorrelation {
  /// How many rows are taken by default: 8 MiB while they come, twice that for the result. Of
  /// unrelated orders half as many have a correlation of 0.0014 at most in two cases of three.
  static final int ROWS_MAX = 1 << 20;

  /*
   * Thinning: a row is taken if the hash of its place is below a threshold, which is halved
   * whenever there are too many; those taken before that are above it then go. So rows stay in the
   * order in which they came, which need not be remembered beside them, and which rows are taken
   * does not depend on their order.
   */
  private final int rowsMax;
  private long[] places = new long[1024];
  private int count;
  private long rows;
  private int halvings;

  /// Begins with no rows.
  RankCorrelation() {
    this(ROWS_MAX);
  }

  /// Begins with no rows.
  ///
  /// @param rowsMax how many rows are taken at most, at least 2
  RankCorrelation(int rowsMax) {
    this.rowsMax = rowsMax;
  }

  /// Adds the row that comes next.
  ///
  /// @param place a number that is larger for rows that stand further back
  void add(long place) {
    rows++;
    if (!isTaken(place)) {
      return;
    }
    if (count == rowsMax) {
      thin();
      if (!isTaken(place)) {
        return;
      }
    }
    if (count == places.length) {
      places = Arrays.copyOf(places, Math.min(rowsMax, 2 * count));
    }
    places[count++] = place;
  }

  private boolean isTaken(long place) {
    return halvings == 0 || mixed(place) >>> (Long.SIZE - halvings) == 0;
  }

  private void thin() {
    int before = count;
    while (count == before && halvings < Long.SIZE - 1) {
      halvings++;
      count = 0;
      for (int i = 0; i < before; i++) {
        if (isTaken(places[i])) {
          places[count++] = places[i];
        }
      }
    }
  }

  /// Lets every bit of a place reach every other (the finisher of SplittableRandom).
  private static long mixed(long place) {
    long mixed = place + 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }

  /// Returns how many rows were added.
  long rows() {
    return rows;
  }

  /// Returns of how many of them the result is.
  int sampled() {
    return count;
  }

  /// Returns the correlation.
  ///
  /// @return a number in `[-1, 1]`; NaN where there are not two rows in different places
  double value() {
    /*
     * The correlation of x and y follows from the sums of squares of x, of y and of x - y. Ranks
     * without ties have a sum of (n^3 - n) / 12; each tie of t rows lowers it by (t^3 - t) / 12. So
     * equal orders give 1 without an error of rounding.
     */
    long[] sorted = Arrays.copyOf(places, count);
    Arrays.sort(sorted);
    double distances = 0;
    for (int turn = 0; turn < count; turn++) {
      double distance = turn - rank(sorted, places[turn]);
      distances += distance * distance;
    }
    double turns = cubes(count) / 12;
    double ranks = turns - cubesOfTies(sorted) / 12;
    double value = (turns + ranks - distances) / (2 * Math.sqrt(turns * ranks));
    return ranks == 0 ? Double.NaN : Math.clamp(value, -1, 1);
  }

  private static double cubes(double n) {
    return n * n * n - n;
  }

  private static double cubesOfTies(long[] sorted) {
    double sum = 0;
    int first = 0;
    for (int i = 1; i <= sorted.length; i++) {
      if (i == sorted.length || sorted[i] != sorted[first]) {
        sum += cubes(i - first);
        first = i;
      }
    }
    return sum;
  }

  private static double rank(long[] sorted, long place) {
    int found = Arrays.binarySearch(sorted, place);
    int first = found;
    while (first > 0 && sorted[first - 1] == place) {
      first--;
    }
    int last = found;
    while (last < sorted.length - 1 && sorted[last + 1] == place) {
      last++;
    }
    return (first + last) / 2.0;
  }
}
