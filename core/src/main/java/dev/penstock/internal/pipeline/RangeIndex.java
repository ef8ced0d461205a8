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
  private long longest; // of those that are or were in it

  /// Makes it empty.
  ///
  /// @param rangeOf returns the bytes of a thing, always the same
  RangeIndex(Function<T, ByteRange> rangeOf) {
    this.rangeOf = rangeOf;
  }

  /// Adds a thing.
  void add(T thing) {
    ByteRange range = rangeOf.apply(thing);
    longest = Math.max(longest, range.length());
    byOffset.computeIfAbsent(range.offset(), _ -> new ArrayList<>(1)).add(thing);
  }

  /// Removes a thing, if it is there.
  void remove(T thing) {
    Long offset = rangeOf.apply(thing).offset();
    List<T> there = byOffset.get(offset);
    if (there != null && there.remove(thing) && there.isEmpty()) {
      byOffset.remove(offset);
    }
  }

  /// Returns whether a thing is there.
  boolean contains(T thing) {
    List<T> there = byOffset.get(rangeOf.apply(thing).offset());
    return there != null && there.contains(thing);
  }

  /// Returns the things that have one of some bytes, by their offsets, then as they were added.
  ///
  /// @param bytes none have none
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

  /// Returns whether all things that have one of some bytes pass a test. Those at the end are
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

  /// Of things that start `longest` before the first byte, or earlier, none comes to it.
  private NavigableMap<Long, List<T>> near(ByteRange bytes) {
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
