package dev.penstock.internal.pipeline;

import dev.penstock.format.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Finds things by the bytes that they are about, without looking at all of them: a file of
/// thousands of columns has as many ranges, and each is read several times.
///
/// Ranges may overlap. It is fast where none is much longer than most others.
///
/// @param <T> the things
final class RangeIndex<T> {
  private final Function<T, ByteRange> rangeOf;
  private final TreeMap<Long, List<T>> byOffset = new TreeMap<>();
  private final TreeMap<Long, Integer> lengths = new TreeMap<>(); // how many have each

  /// Makes it empty.
  ///
  /// @param rangeOf returns the bytes of a thing, always the same
  RangeIndex(Function<T, ByteRange> rangeOf) {
    this.rangeOf = rangeOf;
  }

  /// Adds a thing.
  void add(T thing) {
    ByteRange range = rangeOf.apply(thing);
    lengths.merge(range.length(), 1, Integer::sum);
    byOffset.computeIfAbsent(range.offset(), _ -> new ArrayList<>(1)).add(thing);
  }

  /// Removes a thing, if it is there.
  void remove(T thing) {
    ByteRange range = rangeOf.apply(thing);
    List<T> there = byOffset.get(range.offset());
    if (there == null || !there.remove(thing)) {
      return;
    }
    if (there.isEmpty()) {
      byOffset.remove(range.offset());
    }
    lengths.compute(range.length(), (_, count) -> count == null || count == 1 ? null : count - 1);
  }

  /// Returns whether a thing is there.
  boolean contains(T thing) {
    List<T> there = byOffset.get(rangeOf.apply(thing).offset());
    return there != null && there.contains(thing);
  }

  /// Returns the things that overlap with some bytes, by their offsets, then as they were added.
  List<T> overlapping(ByteRange bytes) {
    List<T> found = new ArrayList<>();
    for (List<T> some : near(bytes).values()) {
      for (T each : some) {
        if (overlaps(each, bytes)) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /// Returns whether all things that overlap with some bytes pass a test. Those at the end are
  /// tested first, because files are read from their start.
  boolean allMatch(ByteRange bytes, Predicate<T> test) {
    for (List<T> some : near(bytes).descendingMap().values()) {
      for (T each : some) {
        if (overlaps(each, bytes) && !test.test(each)) {
          return false;
        }
      }
    }
    return true;
  }

  /// Returns all that may overlap: what starts further before than the longest is long, does not.
  private NavigableMap<Long, List<T>> near(ByteRange bytes) {
    long longest = lengths.isEmpty() ? 0 : lengths.lastKey();
    return byOffset.subMap(bytes.offset() - longest, true, bytes.end(), false);
  }

  private boolean overlaps(T thing, ByteRange bytes) {
    ByteRange range = rangeOf.apply(thing);
    return range.offset() < bytes.end() && bytes.offset() < range.end();
  }

  /// Returns all things, by their offsets, then as they were added.
  List<T> all() {
    return byOffset.values().stream().flatMap(List::stream).toList();
  }
}
