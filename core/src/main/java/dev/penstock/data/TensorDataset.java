package dev.penstock.data;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.RowColumns;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.internal.choice.Sentence;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;

/// The rows of tensors of one length: row `i` consists of each tensor's part at index `i` of its
/// first axis.
///
/// A row is a list or a map of tensors, which are views. A batch is gathered directly from the
/// tensors, without an object per row: see [dev.penstock.batch.RowColumns].
///
/// {@snippet lang=java :
/// var rows = TensorDataset.of(Tensor.of(features, count, 64), Tensor.of(labels));
/// }
///
/// **Ownership.** The tensors remain the caller's. Do not write to them while rows are read.
///
/// **Threads.** Safe for any.
///
/// @param <R> what a row is: `List<Tensor>` or `Map<String, Tensor>`
public final class TensorDataset<R> implements MapDataset<R> {
  private final List<Tensor> tensors;
  private final RowForm<R> form;
  private final long size;

  private TensorDataset(Collection<Tensor> tensors, RowForm<R> form) {
    this.tensors = List.copyOf(tensors);
    this.form = form;
    this.size = commonSize();
  }

  private long commonSize() {
    if (tensors.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot make a dataset of tensors: there is none. Give at least one.");
    }
    Iterator<String> names = form.names().iterator();
    for (Tensor tensor : tensors) {
      String name = names.next();
      if (tensor.shape().rank() == 0) {
        throw new IllegalArgumentException(
            "Cannot make a dataset of tensors: tensor '" + name + "' is a scalar, without rows.");
      }
      long rows = tensor.shape().dim(0);
      long expected = tensors.getFirst().shape().dim(0);
      if (rows != expected) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot make a dataset of tensors: tensor '%s' has %s rows but '%s' has %s. All"
                    + " must have the same first extent.",
                name, rows, form.names().getFirst(), expected));
      }
    }
    return tensors.getFirst().shape().dim(0);
  }

  /// {@return the rows of unnamed tensors; in a batch they are columns "0", "1" and so on}
  ///
  /// @param tensors at least one, all with the same first extent
  /// @throws IllegalArgumentException if there is none, one is a scalar, or the extents differ
  public static TensorDataset<List<Tensor>> of(Tensor... tensors) {
    return new TensorDataset<>(List.of(tensors), RowForm.list(tensors.length));
  }

  /// {@return the rows of named tensors; the names become the columns of a batch}
  ///
  /// @param tensors at least one, all with the same first extent; columns come in the map's order
  /// @throws IllegalArgumentException if there is none, one is a scalar, or the extents differ
  public static TensorDataset<Map<String, Tensor>> of(Map<String, Tensor> tensors) {
    return new TensorDataset<>(tensors.values(), RowForm.map(tensors.keySet()));
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public R get(long index) {
    Objects.checkIndex(index, size);
    Object[] parts = new Object[tensors.size()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = tensors.get(part).row(index);
    }
    return form.row().apply(parts);
  }

  /// Returns the rows of a batch, which are also [dev.penstock.batch.RowColumns].
  @Override
  public List<R> getAll(long[] indices) {
    for (long index : indices) {
      Objects.checkIndex(index, size);
    }
    return new SomeRows(indices.clone());
  }

  /// Some rows: a list that makes rows on access, and columns that are gathered without making
  /// rows.
  private final class SomeRows extends AbstractList<R> implements RowColumns, RandomAccess {
    private final long[] rows;

    SomeRows(long[] rows) {
      this.rows = rows;
    }

    @Override
    public R get(int index) {
      return TensorDataset.this.get(rows[index]);
    }

    @Override
    public int size() {
      return rows.length;
    }

    @Override
    public void addTo(BatchBuilder batch) {
      for (int column = 0; column < tensors.size(); column++) {
        Tensor from = tensors.get(column);
        long[] dims = from.shape().dims();
        dims[0] = rows.length;
        Tensor to = batch.tensor(form.names().get(column), from.dtype(), Shape.of(dims));
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

  @Override
  public String toString() {
    return "TensorDataset of " + size + " rows " + form.names();
  }
}
