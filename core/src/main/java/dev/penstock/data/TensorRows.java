package dev.penstock.data;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.RowColumns;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Some rows of a [TensorDataset]: a list that makes rows on access, and columns that are gathered
/// without making rows.
final class TensorRows<R> extends AbstractList<R> implements RowColumns, RandomAccess {
  private final TensorDataset<R> dataset;
  private final long[] rows;

  /// Makes the list.
  ///
  /// @param rows row numbers in the dataset; must no longer change
  TensorRows(TensorDataset<R> dataset, long[] rows) {
    this.dataset = dataset;
    this.rows = rows;
  }

  @Override
  public R get(int index) {
    return dataset.get(rows[index]);
  }

  @Override
  public int size() {
    return rows.length;
  }

  @Override
  public void addTo(BatchBuilder batch) {
    List<Tensor> tensors = dataset.tensors();
    for (int column = 0; column < tensors.size(); column++) {
      Tensor from = tensors.get(column);
      long[] dims = from.shape().dims();
      dims[0] = rows.length;
      Tensor to = batch.tensor(dataset.names().get(column), from.dtype(), Shape.of(dims));
      if (rows.length > 0) {
        gather(from.memory(), to.memory(), to.memory().byteSize() / rows.length);
      }
    }
  }

  /*
   * Rows of one element are moved element by element, because for a few bytes the call of a bulk
   * copy costs more than the bytes. Wider rows use one bulk copy each.
   */
  private void gather(MemorySegment from, MemorySegment to, long rowBytes) {
    if (rowBytes == 4) {
      for (int i = 0; i < rows.length; i++) {
        int value = from.get(ValueLayout.JAVA_INT_UNALIGNED, rows[i] * 4);
        to.set(ValueLayout.JAVA_INT_UNALIGNED, i * 4L, value);
      }
    } else if (rowBytes == 8) {
      for (int i = 0; i < rows.length; i++) {
        long value = from.get(ValueLayout.JAVA_LONG_UNALIGNED, rows[i] * 8);
        to.set(ValueLayout.JAVA_LONG_UNALIGNED, i * 8L, value);
      }
    } else {
      for (int i = 0; i < rows.length; i++) {
        MemorySegment.copy(from, rows[i] * rowBytes, to, i * rowBytes, rowBytes);
      }
    }
  }
}
