package dev.penstock.benchmarks;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import org.jspecify.annotations.Nullable;

/// The sum over a matrix of floats and an integer key beside it, which is 0 where there is none.
///
/// `31 * sum((column + 1) * bits) + sum(bits of column 0 * (key + 1))`
final class MatrixChecksum implements Checksum {
  private final String matrix;
  private final int width;
  private final @Nullable String key;
  private long weighted;
  private long keyed;

  MatrixChecksum(String matrix, int width, @Nullable String key) {
    this.matrix = matrix;
    this.width = width;
    this.key = key;
  }

  @Override
  public void add(Batch batch) {
    Tensor values = batch.tensor(matrix);
    Tensor keys = key == null ? null : batch.tensor(key);
    for (int row = 0; row < batch.rowCount(); row++) {
      long start = (long) row * width;
      for (int column = 0; column < width; column++) {
        weighted += (column + 1) * bits(values, start + column);
      }
      keyed += bits(values, start) * ((keys == null ? 0 : keys.getLong(row)) + 1);
    }
  }

  private static long bits(Tensor values, long index) {
    return Integer.toUnsignedLong(Float.floatToRawIntBits(values.getFloat(index)));
  }

  @Override
  public long value() {
    return weighted * 31 + keyed;
  }
}
