package dev.penstock.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Rows that are read by number.
///
/// **Threads.** Read by several workers at once: all of them share this object. So an open file or
/// connection that only one thread may use must not be in a field: keep it in a [WorkerLocal].
///
/// @param <T> what a row is
public interface MapDataset<T> {
  /// {@return how many rows there are, 0 or more, the same at every call}
  long size();

  /// {@return a row}
  ///
  /// @param index its number, in `[0, size())`
  /// @throws IOException if it cannot be read
  /// @throws IndexOutOfBoundsException if `index` is out of range
  T get(long index) throws IOException;

  /// {@return the rows of a batch, one for each number, in the order asked for} Override it where
  /// reading several rows together costs less than one by one.
  ///
  /// @param indices their numbers, each in `[0, size())`; may contain duplicates
  /// @throws IOException if one cannot be read
  /// @throws IndexOutOfBoundsException if one of `indices` is out of range
  default List<T> getAll(long[] indices) throws IOException {
    List<T> rows = new ArrayList<>(indices.length);
    for (long index : indices) {
      rows.add(get(index));
    }
    return rows;
  }
}
