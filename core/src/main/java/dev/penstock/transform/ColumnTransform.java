package dev.penstock.transform;

import java.util.List;

/// A ready transform of one column. Immutable, printable, and savable within a [Preprocessing].
///
/// It is made with given numbers by its `of`, or fitted by [Preprocessing#fit]. Nulls stay null and
/// NaN stays NaN where nothing else is said. Numbers are taken as the nearest double; the result is
/// a `float32` column where the column was one (or a `float16`), else a `float64` column.
///
/// **Errors.** A block without the column, or with one of a type that it cannot take, is an
/// [IllegalArgumentException]; a loader finds out before the first epoch.
public sealed interface ColumnTransform extends Transform
    permits Standardize, MinMax, Log1p, Clip, Bucketize, OneHot, HashBuckets {
  /// Returns the column that is read and replaced.
  ///
  /// @return its name
  String column();

  /// Returns the columns that come instead of it.
  ///
  /// @return their names, in order; the column itself unless it says otherwise
  default List<String> outputs() {
    return List.of(column());
  }

  @Override
  ColumnBlock apply(ColumnBlock block, TransformContext context);
}
