package dev.penstock.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToIntFunction;

/// Spans of time by worker. When there are too many, each two neighbours of a worker become one,
/// and so do later ones; thus all parts of an epoch are equally coarse.
///
/// **Threads.** One at a time.
///
/// @param <T> a span
final class Spans<T> {
  private final int most;
  private final ToIntFunction<T> worker;
  private final ToIntFunction<T> count;
  private final BinaryOperator<T> plus;
  private TreeMap<Integer, List<T>> lanes = new TreeMap<>();
  private int size;
  private int grain = 1; // how many spans become one

  /// Makes none.
  ///
  /// @param most how many spans are kept; of each worker at least one
  /// @param worker tells a span's worker
  /// @param count tells how many a span stands for
  /// @param plus puts a span and the next of the same worker together
  Spans(int most, ToIntFunction<T> worker, ToIntFunction<T> count, BinaryOperator<T> plus) {
    this.most = most;
    this.worker = worker;
    this.count = count;
    this.plus = plus;
  }

  /// Adds a span, which is not before an earlier one of its worker.
  void add(T span) {
    put(span);
    while (size > most && size > lanes.size() && grain < 1 << 30) {
      coarsen();
    }
  }

  private void put(T span) {
    List<T> lane = lanes.computeIfAbsent(worker.applyAsInt(span), _ -> new ArrayList<>());
    if (!lane.isEmpty()
        && (long) count.applyAsInt(lane.getLast()) + count.applyAsInt(span) <= grain) {
      lane.set(lane.size() - 1, plus.apply(lane.getLast(), span));
    } else {
      lane.add(span);
      size++;
    }
  }

  private void coarsen() {
    TreeMap<Integer, List<T>> fine = lanes;
    grain *= 2;
    lanes = new TreeMap<>();
    size = 0;
    fine.values().forEach(lane -> lane.forEach(this::put));
  }

  /// Returns all spans, by worker, then in the order in which they were added.
  List<T> all() {
    return lanes.values().stream().flatMap(List::stream).toList();
  }
}
