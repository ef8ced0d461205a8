package dev.penstock.data;

import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/// The rows of several datasets, one dataset after another.
///
/// As in torch an index may be negative: -1 is the last row. The rows of a batch are read together,
/// with one call for each dataset that has some of them.
///
/// **Threads.** As the datasets.
///
/// @param <T> what a row is
public final class ConcatDataset<T> implements MapDataset<T> {
  private final List<MapDataset<T>> datasets;

  /// The sum of the sizes up to and including each dataset.
  private final long[] ends;

  private ConcatDataset(List<MapDataset<T>> datasets) {
    if (datasets.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot concatenate datasets: the list is empty. Give at least one.");
    }
    this.datasets = datasets;
    this.ends = new long[datasets.size()];
    long end = 0;
    for (int member = 0; member < ends.length; member++) {
      end = Math.addExact(end, datasets.get(member).size());
      ends[member] = end;
    }
  }

  /// {@return the rows of several datasets}
  ///
  /// @param <T> what a row is
  /// @param datasets at least one, in order
  @SuppressWarnings("unchecked") // A dataset only returns rows, so rows of a subtype are fine.
  public static <T> ConcatDataset<T> of(List<? extends MapDataset<? extends T>> datasets) {
    return new ConcatDataset<>((List<MapDataset<T>>) List.copyOf(datasets));
  }

  /// {@return the rows of several datasets}
  ///
  /// @param <T> what a row is
  /// @param datasets at least one, in order
  @SafeVarargs
  @SuppressWarnings("varargs") // Only read.
  public static <T> ConcatDataset<T> of(MapDataset<? extends T>... datasets) {
    return of(List.of(datasets));
  }

  @Override
  public long size() {
    return ends[ends.length - 1];
  }

  /// Returns a row.
  ///
  /// @param index its number, in `[-size(), size())`; a negative one counts from the end
  @Override
  public T get(long index) throws IOException {
    long place = place(index);
    int member = memberOf(place);
    return datasets.get(member).get(place - start(member));
  }

  @Override
  public List<T> getAll(long[] indices) throws IOException {
    int[] members = new int[indices.length];
    int[] counts = new int[ends.length];
    long[] places = new long[indices.length];
    for (int i = 0; i < indices.length; i++) {
      long place = place(indices[i]);
      members[i] = memberOf(place);
      counts[members[i]]++;
      places[i] = place - start(members[i]);
    }
    if (indices.length > 0 && counts[members[0]] == indices.length) {
      return datasets.get(members[0]).getAll(places);
    }
    return reassembled(members, counts, places);
  }

  private List<T> reassembled(int[] members, int[] counts, long[] places) throws IOException {
    List<List<T>> rows = new ArrayList<>(ends.length);
    int[] ordinals = new int[members.length];
    for (int member = 0; member < ends.length; member++) {
      long[] wanted = new long[counts[member]];
      int count = 0;
      for (int i = 0; i < members.length; i++) {
        if (members[i] == member) {
          wanted[count] = places[i];
          ordinals[i] = count++;
        }
      }
      rows.add(count == 0 ? List.of() : Rows.getAll(datasets.get(member), wanted));
    }
    return new Reassembled<>(rows, members, ordinals);
  }

  /// The rows of several lists, in another order.
  private static final class Reassembled<T> extends AbstractList<T> implements RandomAccess {
    private final List<List<T>> rows;
    private final int[] members;
    private final int[] ordinals;

    Reassembled(List<List<T>> rows, int[] members, int[] ordinals) {
      this.rows = rows;
      this.members = members;
      this.ordinals = ordinals;
    }

    @Override
    public T get(int index) {
      return rows.get(members[index]).get(ordinals[index]);
    }

    @Override
    public int size() {
      return members.length;
    }
  }

  private long place(long index) {
    long place = index < 0 ? index + size() : index;
    if (place < 0 || place >= size()) {
      throw new IndexOutOfBoundsException(
          Sentence.of(
              "Cannot get row %s of the concatenated datasets: they have %s rows. Rows are in"
                  + " [-%s, %s).",
              index, size(), size(), size()));
    }
    return place;
  }

  /// Returns the dataset that has the place: the first that ends after it.
  private int memberOf(long place) {
    int found = Arrays.binarySearch(ends, place);
    int member = found < 0 ? -found - 1 : found + 1;
    while (ends[member] <= place) { // A dataset without rows ends where the previous one does.
      member++;
    }
    return member;
  }

  private long start(int member) {
    return member == 0 ? 0 : ends[member - 1];
  }

  @Override
  public String toString() {
    return "ConcatDataset of " + size() + " rows of " + datasets.size() + " datasets";
  }
}
