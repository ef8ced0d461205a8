package dev.penstock.data;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/// The rows of several iterable datasets, one dataset after another.
///
/// A dataset's iterator is opened when the previous one has ended and, if closeable, was closed.
///
/// **Threads.** As the datasets.
///
/// @param <T> what a row is
public final class ChainDataset<T> implements IterableDataset<T> {
  private final List<? extends IterableDataset<? extends T>> datasets;

  private ChainDataset(List<? extends IterableDataset<? extends T>> datasets) {
    this.datasets = datasets;
  }

  /// {@return the rows of several datasets}
  ///
  /// @param <T> what a row is
  /// @param datasets the datasets, in order; may be empty
  public static <T> ChainDataset<T> of(List<? extends IterableDataset<? extends T>> datasets) {
    return new ChainDataset<>(List.copyOf(datasets));
  }

  /// {@return the rows of several datasets}
  ///
  /// @param <T> what a row is
  /// @param datasets the datasets, in order; may be empty
  @SafeVarargs
  @SuppressWarnings("varargs") // Only read.
  public static <T> ChainDataset<T> of(IterableDataset<? extends T>... datasets) {
    return new ChainDataset<>(List.of(datasets));
  }

  @Override
  public Iterator<T> iterator() {
    return new ChainIterator<>(datasets.iterator(), IterableDataset::iterator);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a copy may be equal
  public ChainDataset<T> copyForWorker() {
    List<IterableDataset<? extends T>> copies = new ArrayList<>();
    boolean isCopied = false;
    for (IterableDataset<? extends T> dataset : datasets) {
      copies.add(dataset.copyForWorker());
      isCopied |= copies.getLast() != dataset;
    }
    return isCopied ? of(copies) : this;
  }

  /// {@return the sum of the sizes; empty if one of them is not known}
  @Override
  public OptionalLong size() {
    long sum = 0;
    for (IterableDataset<?> dataset : datasets) {
      OptionalLong size = dataset.size();
      if (size.isEmpty()) {
        return size;
      }
      sum = Math.addExact(sum, size.getAsLong());
    }
    return OptionalLong.of(sum);
  }

  @Override
  public String toString() {
    return "ChainDataset of " + datasets.size() + " datasets";
  }
}
