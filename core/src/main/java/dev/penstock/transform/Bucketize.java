package dev.penstock.transform;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.Arrays;
import java.util.List;

/// Replaces numbers by the number of their bucket, an `int32`.
///
/// Bucket `i` holds `edges[i - 1] <= x < edges[i]`; bucket 0 holds everything below the first edge,
/// bucket `edges.size()` the last edge and everything above. That is numpy's `digitize(x, edges)`
/// and torch's `bucketize(x, edges, right=True)`. NaN is in no bucket and becomes null, so the
/// result is nullable if the column is, or has floating-point numbers.
///
/// @param column the column, of numbers or booleans
/// @param edges finite, each above the one before; if empty, every value is in bucket 0
public record Bucketize(String column, List<Double> edges) implements ColumnTransform {
  /// Copies the edges. Throws [IllegalArgumentException] if one is not finite, or not above the one
  /// before.
  public Bucketize {
    edges = List.copyOf(edges);
    for (int i = 0; i < edges.size(); i++) {
      Numbers.requireFinite("An edge", column, edges.get(i));
      // Compares by value: the two zeros are equal.
      if (i > 0 && edges.get(i - 1).doubleValue() >= edges.get(i).doubleValue()) {
        throw new IllegalArgumentException(
            "The edges of column '" + column + "' must rise, got " + edges + ".");
      }
    }
  }

  /// {@return the transform with given edges}
  ///
  /// @param column the column, of numbers or booleans
  /// @param edges finite, each above the one before
  /// @throws IllegalArgumentException if one is not finite, or not above the one before
  public static Bucketize of(String column, double... edges) {
    return new Bucketize(column, Arrays.stream(edges).boxed().toList());
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    Field field = Numbers.require(block, column);
    double[] ends = edges.stream().mapToDouble(edge -> edge + 0.0).toArray(); // no negative zero
    double[] values = block.doubles(column);
    int[] buckets = new int[values.length];
    boolean[] present = new boolean[values.length];
    for (int i = 0; i < values.length; i++) {
      present[i] = !Double.isNaN(values[i]);
      buckets[i] = present[i] ? bucket(ends, values[i]) : 0;
    }
    ColumnBlock changed = block.with(column, buckets);
    return field.nullable() || field.type() instanceof DataType.Floating
        ? changed.withPresent(column, present)
        : changed;
  }

  /// Counts the edges that are not above a value.
  private static int bucket(double[] edges, double value) {
    int found = Arrays.binarySearch(edges, value + 0.0);
    return found < 0 ? -found - 1 : found + 1;
  }

  @Override
  public String toString() {
    return "bucketize " + column + ": edges " + edges;
  }
}
