package dev.penstock.transform;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;

/// Replaces strings or integers by a number in `[0, buckets)`, an `int32`: for columns with too
/// many categories to list.
///
/// The number is the xxHash64 (seed 0), as an unsigned number, modulo `buckets`: of a string's
/// UTF-8 bytes; of an integer's 8 bytes, little-endian, whatever its width in the file. It is the
/// same on every machine and in every version. Different values may share a bucket.
///
/// @param column the column, of strings or integers
/// @param buckets at least 1
public record HashBuckets(String column, int buckets) implements ColumnTransform {
  /// Throws [IllegalArgumentException] if `buckets` is below 1.
  public HashBuckets {
    if (buckets < 1) {
      throw new IllegalArgumentException(
          "The buckets of column '" + column + "' must be at least 1, got " + buckets + ".");
    }
  }

  /// {@return the transform}
  ///
  /// @param column the column, of strings or integers
  /// @param buckets at least 1
  public static HashBuckets of(String column, int buckets) {
    return new HashBuckets(column, buckets);
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    ColumnSlice _ = block.slice(column); // its error lists the existing columns
    Field field = block.schema().find(column).orElseThrow();
    if (!(field.type() instanceof DataType.Utf8 || field.type() instanceof DataType.Int)) {
      throw Numbers.refuse(field, "strings or integers");
    }
    long[] hashes = block.hashes(column);
    int[] numbers = new int[hashes.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (int) Long.remainderUnsigned(hashes[i], buckets);
    }
    ColumnBlock changed = block.with(column, numbers);
    return field.nullable() ? changed.withPresent(column, block.present(column)) : changed;
  }

  @Override
  public String toString() {
    return "hash " + column + ": " + buckets + " buckets";
  }
}
