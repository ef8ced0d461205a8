package dev.penstock.benchmarks;

import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.benchmarks.formats.Columns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sum over columns of doubles with nulls as NaN, integers, timestamps, booleans, lists of
/// these and strings.
///
/// `31 * sum(left * right) + sum((column + 1) * sum of the column)`; a floating-point number counts
/// as its bits, a list as the sum of its elements
final class ColumnsChecksum implements Checksum {
  private final List<String> columns;
  private final String left;
  private final String right;
  private long weighted;
  private long crossed;

  /// Makes an empty sum.
  ///
  /// @param columns the columns in the order in which they are weighted
  /// @param left a column that is multiplied, row by row, with another
  /// @param right the other one
  ColumnsChecksum(List<String> columns, String left, String right) {
    this.columns = columns;
    this.left = left;
    this.right = right;
  }

  @Override
  public void add(Batch batch) {
    for (int column = 0; column < columns.size(); column++) {
      weighted += (column + 1) * sum(batch, columns.get(column));
    }
    Tensor leftValues = batch.tensor(left);
    Tensor rightValues = batch.tensor(right);
    for (int row = 0; row < batch.rowCount(); row++) {
      crossed += value(leftValues, row) * value(rightValues, row);
    }
  }

  private static long sum(Batch batch, String name) {
    return switch (batch.column(name)) {
      case Tensor tensor -> sum(tensor);
      case RaggedTensor lists -> sum(lists.values());
      default -> sum(batch.strings(name));
    };
  }

  private static long sum(Tensor tensor) {
    long count = tensor.shape().elementCount();
    long sum = 0;
    for (long i = 0; i < count; i++) {
      sum += value(tensor, i);
    }
    return sum;
  }

  private static long value(Tensor tensor, long index) {
    return switch (tensor.dtype()) {
      case FLOAT64 -> Columns.bits(tensor.getDouble(index));
      case FLOAT32 -> Integer.toUnsignedLong(Float.floatToRawIntBits(tensor.getFloat(index)));
      default -> tensor.getLong(index);
    };
  }

  private static long sum(List<@Nullable String> strings) {
    long sum = 0;
    for (String string : strings) {
      sum += string == null ? 0 : Columns.sum(string);
    }
    return sum;
  }

  @Override
  public long value() {
    return crossed * 31 + weighted;
  }
}
