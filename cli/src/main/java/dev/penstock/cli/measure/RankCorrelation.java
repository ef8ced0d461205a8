package dev.penstock.cli.measure;

import java.util.Arrays;

/// Spearman's rank correlation between the order of rows in their files and the order of delivery:
/// 1 if both are the same, 0 if they are unrelated, -1 if one is the reverse of the other.
///
/// Rows with the same place, because they come twice, share the mean of their ranks.
///
/// Up to a fixed number of rows the result covers all of them; beyond that, a sample of at least
/// about half that number.
final class RankCorrelation {
  /// The maximum sample by default: it takes 8 MiB, and twice that to compute the result. For
  /// unrelated orders, half as many rows give a correlation of at most 0.0014 in two of three
  /// cases.
  static final int ROWS_MAX = 1 << 20;

  /*
   * Thinning: a row is taken if the hash of its place is below a threshold. Whenever there are too
   * many rows, the threshold is halved and rows above it are dropped. So rows stay in arrival
   * order, which need not be stored separately, and the choice of rows does not depend on their
   * order.
   */
  private final int rowsMax;
  private long[] places = new long[1024];
  private int count;
  private long rows;
  private int halvings;

  RankCorrelation() {
    this(ROWS_MAX);
  }

  /// Begins with no rows, for a sample of at most `rowsMax`, which is at least 2.
  RankCorrelation(int rowsMax) {
    this.rowsMax = rowsMax;
  }

  /// Adds the next row, by a number that is larger for rows further back in the files.
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

  /// Mixes the bits of a place: each affects every other (the finalizer of SplittableRandom).
  private static long mixed(long place) {
    long mixed = place + 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }

  long rows() {
    return rows;
  }

  /// Returns how many rows the result covers.
  int sampled() {
    return count;
  }

  /// Returns the correlation, in `[-1, 1]`; NaN without two rows in different places.
  double value() {
    /*
     * The correlation of x and y follows from the sums of squares of x, of y and of x - y. Ranks
     * without ties have a sum of (n^3 - n) / 12; each tie of t rows lowers it by (t^3 - t) / 12. So
     * equal orders give exactly 1, without rounding errors.
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
