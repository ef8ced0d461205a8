package dev.penstock.benchmarks;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sum over columns of doubles with nulls as NaN, integers, timestamps and strings.
///
/// `31 * sum(i0 * l0) + sum((column + 1) * sum of the column)`
final class ColumnsChecksum implements Checksum {
  private static final long NULL_DOUBLE = 0x9E3779B97F4A7C15L;

  private final List<String> columns;
  private long weighted;
  private long crossed;

  /// Makes an empty sum.
  ///
  /// @param columns the columns in the order in which they are weighted; names that start with `s`
  ///   are strings
  ColumnsChecksum(List<String> columns) {
    this.columns = columns;
  }

  @Override
  public void add(Batch batch) {
    for (int column = 0; column < columns.size(); column++) {
      String name = columns.get(column);
      long sum = name.startsWith("s") ? sum(batch.strings(name)) : sum(batch.tensor(name));
      weighted += (column + 1) * sum;
    }
    Tensor left = batch.tensor("i0");
    Tensor right = batch.tensor("l0");
    for (int row = 0; row < batch.rowCount(); row++) {
      crossed += left.getLong(row) * right.getLong(row);
    }
  }

  private static long sum(Tensor tensor) {
    boolean doubles = tensor.dtype() == DType.FLOAT64;
    long sum = 0;
    for (long row = 0; row < tensor.shape().dim(0); row++) {
      sum += doubles ? bits(tensor.getDouble(row)) : tensor.getLong(row);
    }
    return sum;
  }

  private static long bits(double value) {
    return Double.isNaN(value) ? NULL_DOUBLE : Double.doubleToRawLongBits(value);
  }

  private static long sum(List<@Nullable String> strings) {
    long sum = 0;
    for (String string : strings) {
      if (string != null) {
        sum += string.length() + 1000L * string.charAt(string.length() - 1);
      }
    }
    return sum;
  }

  @Override
  public long value() {
    return crossed * 31 + weighted;
  }
}
