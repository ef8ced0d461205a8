package dev.penstock.transform;

import java.util.List;

/// A ready transform of one column. Immutable, printable, and savable within a [Preprocessing].
///
/// Make one with given numbers by its `of`, or fit it with [Preprocessing#fit]. Nulls stay null and
/// NaN stays NaN unless stated otherwise. Numbers are read as the nearest double; the result is a
/// `float32` column for `float32` and `float16` columns, else a `float64` column.
///
/// **Errors.** A block without the column, or with an unsuitable type, throws
/// [IllegalArgumentException]; a loader throws it before the first epoch.
public sealed interface ColumnTransform extends Transform
    permits Standardize, MinMax, Log1p, Clip, Bucketize, OneHot, HashBuckets {
  /// {@return the name of the column that is read and replaced}
  String column();

  /// {@return the names of the columns that replace it, in order; by default the column itself}
  default List<String> outputs() {
    return List.of(column());
  }

  @Override
  ColumnBlock apply(ColumnBlock block, TransformContext context);
}
