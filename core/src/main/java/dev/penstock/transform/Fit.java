package dev.penstock.transform;

import java.util.HashSet;
import java.util.List;

/// A transform whose numbers [Preprocessing#fit] finds.
///
/// Nulls and NaN do not count. A column without any other value is an error that names it, and so
/// is an infinity where a number is fitted.
public sealed interface Fit {
  /// {@return the names of the columns to fit, at least one, each on its own}
  List<String> columns();

  /// Finds mean and standard deviation, for [Standardize].
  ///
  /// @param columns the columns
  record Standardizing(List<String> columns) implements Fit {
    /// Copies the names. Throws [IllegalArgumentException] if there is no column, or one comes
    /// twice.
    public Standardizing {
      columns = checked(columns);
    }
  }

  /// Finds the least and the greatest value, for [MinMax].
  ///
  /// @param columns the columns
  record MinMaxing(List<String> columns) implements Fit {
    /// Copies the names. Throws [IllegalArgumentException] if there is no column, or one comes
    /// twice.
    public MinMaxing {
      columns = checked(columns);
    }
  }

  /// Cuts the range of the values into buckets of equal width, for [Bucketize], as scikit-learn's
  /// `KBinsDiscretizer(strategy="uniform")`.
  ///
  /// @param columns the columns
  /// @param buckets how many, at least 1; fewer if the range has too few distinct numbers, one for
  ///   a constant column
  record Bucketizing(List<String> columns, int buckets) implements Fit {
    /// Copies the names. Throws [IllegalArgumentException] if there is no column, one comes twice,
    /// or `buckets` is below 1.
    public Bucketizing {
      columns = checked(columns);
      requirePositive("buckets", buckets);
    }
  }

  /// Finds the different values, for [OneHot]: strings sorted by code points, integers by value,
  /// false before true.
  ///
  /// @param columns the columns
  /// @param maxCategories the most different values, at least 1; more are an error
  /// @param ignoreUnknown whether later values that were not seen when fitted are accepted
  record OneHotting(List<String> columns, int maxCategories, boolean ignoreUnknown) implements Fit {
    /// Copies the names. Throws [IllegalArgumentException] if there is no column, one comes twice,
    /// or `maxCategories` is below 1.
    public OneHotting {
      columns = checked(columns);
      requirePositive("maxCategories", maxCategories);
    }

    /// {@return the fit that accepts values that were not seen when fitted: all their columns are
    /// false}
    public OneHotting ignoringUnknown() {
      return new OneHotting(columns, maxCategories, true);
    }
  }

  /// {@return the fit of mean and standard deviation, for [Standardize]}
  ///
  /// @param columns the columns
  /// @throws IllegalArgumentException if there is no column, or one comes twice
  static Fit standardize(String... columns) {
    return new Standardizing(List.of(columns));
  }

  /// {@return the fit of the least and the greatest value, for [MinMax]}
  ///
  /// @param columns the columns
  /// @throws IllegalArgumentException if there is no column, or one comes twice
  static Fit minMax(String... columns) {
    return new MinMaxing(List.of(columns));
  }

  /// {@return the fit of buckets of equal width over the range of a column, for [Bucketize]}
  ///
  /// @param column the column
  /// @param buckets how many, at least 1
  static Fit bucketize(String column, int buckets) {
    return new Bucketizing(List.of(column), buckets);
  }

  /// {@return the fit of the different values of a column, for [OneHot]} Values that were not seen
  /// when fitted are an error when it is applied.
  ///
  /// @param column the column
  /// @param maxCategories the most different values, at least 1; more are an error
  static OneHotting oneHot(String column, int maxCategories) {
    return new OneHotting(List.of(column), maxCategories, false);
  }

  private static List<String> checked(List<String> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A fit needs at least one column.");
    }
    HashSet<String> seen = new HashSet<>();
    for (String column : columns) {
      if (!seen.add(column)) {
        throw new IllegalArgumentException("Cannot fit column '" + column + "' twice.");
      }
    }
    return List.copyOf(columns);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, got " + value + ".");
    }
  }
}
