package dev.penstock.data;

import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// Some rows of a dataset, in any order; a row may occur twice.
///
/// The rows of a batch are read together, by the dataset's `getAll`.
///
/// **Threads.** As the dataset.
///
/// @param <T> what a row is
public final class Subset<T> implements MapDataset<T> {
  private final MapDataset<T> dataset;
  private final long[] indices;

  private Subset(MapDataset<T> dataset, long[] indices) {
    this.dataset = dataset;
    this.indices = indices;
  }

  /// {@return some rows of a dataset: row `i` is its row `indices[i]`}
  ///
  /// @param <T> what a row is
  /// @param dataset the dataset
  /// @param indices the numbers of the rows, each in `[0, dataset.size())`; copied
  /// @throws IndexOutOfBoundsException if the dataset has no such row
  public static <T> Subset<T> of(MapDataset<T> dataset, long... indices) {
    long size = dataset.size();
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= size) {
        throw new IndexOutOfBoundsException(
            Sentence.of(
                "Cannot make a subset: index %s is %s but must be in [0, %s).",
                i, indices[i], size));
      }
    }
    return new Subset<>(dataset, indices.clone());
  }

  @Override
  public long size() {
    return indices.length;
  }

  @Override
  public T get(long index) throws IOException {
    return dataset.get(indices[place(index)]);
  }

  @Override
  public List<T> getAll(long[] places) throws IOException {
    long[] chosen = new long[places.length];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = indices[place(places[i])];
    }
    return dataset.getAll(chosen);
  }

  private int place(long index) {
    return (int) Objects.checkIndex(index, indices.length);
  }

  /// {@return a copy of the numbers of the rows, in order}
  public long[] indices() {
    return indices.clone();
  }

  @Override
  public String toString() {
    return "Subset of " + indices.length + " rows of " + dataset;
  }
}
