package dev.penstock.internal.fetch;

import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Finds things by their byte ranges without searching all of them: a file with thousands of
/// columns has as many ranges, and each is read several times.
///
/// Ranges may overlap, and be as long as a stripe or as short as a stream of it, so ranges of
/// similar length are indexed together.
final class RangeIndex<T> {
  private final Function<T, ByteRange> rangeOf;

  /// By the number of bits of their length, then by their offsets.
  private final NavigableMap<Integer, NavigableMap<Long, List<T>>> byLength = new TreeMap<>();

  /// @param rangeOf returns the bytes of a thing, always the same
  RangeIndex(Function<T, ByteRange> rangeOf) {
    this.rangeOf = rangeOf;
  }

  /// Returns the things with ranges of similar length, by their offsets.
  private NavigableMap<Long, List<T>> alike(ByteRange range) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(range.length());
    return byLength.computeIfAbsent(bits, _ -> new TreeMap<>());
  }

  void add(T thing) {
    ByteRange range = rangeOf.apply(thing);
    alike(range).computeIfAbsent(range.offset(), _ -> new ArrayList<>(1)).add(thing);
  }

  void remove(T thing) {
    ByteRange range = rangeOf.apply(thing);
    List<T> there = alike(range).get(range.offset());
    if (there != null && there.remove(thing) && there.isEmpty()) {
      alike(range).remove(range.offset());
    }
  }

  boolean contains(T thing) {
    ByteRange range = rangeOf.apply(thing);
    List<T> there = alike(range).get(range.offset());
    return there != null && there.contains(thing);
  }

  /// Returns the things that overlap with some bytes, by their offsets.
  List<T> overlapping(ByteRange bytes) {
    List<T> found = new ArrayList<>();
    byLength.forEach((bits, alike) -> {
      for (List<T> some : near(bytes, bits, alike).values()) {
        for (T each : some) {
          if (overlaps(each, bytes)) {
            found.add(each);
          }
        }
      }
    });
    sort(found);
    return found;
  }

  private void sort(List<T> things) {
    if (byLength.size() > 1) {
      things.sort(Comparator.comparingLong(each -> rangeOf.apply(each).offset()));
    }
  }

  /// Returns whether all things that overlap with some bytes pass a test. Those at the end are
  /// tested first, because files are read from their start.
  boolean allMatch(ByteRange bytes, Predicate<T> test) {
    for (Map.Entry<Integer, NavigableMap<Long, List<T>>> alike : byLength.entrySet()) {
      for (List<T> some : near(bytes, alike.getKey(), alike.getValue()).descendingMap().values()) {
        for (T each : some) {
          if (overlaps(each, bytes) && !test.test(each)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /// Returns the things of similar length that may overlap; those that start too far before cannot.
  private static <T> NavigableMap<Long, List<T>> near(
      ByteRange bytes, int bits, NavigableMap<Long, List<T>> alike) {
    long longest = (1L << bits) - 1;
    return alike.subMap(bytes.offset() - longest, true, bytes.end(), false);
  }

  private boolean overlaps(T thing, ByteRange bytes) {
    ByteRange range = rangeOf.apply(thing);
    return range.offset() < bytes.end() && bytes.offset() < range.end();
  }

  List<T> all() {
    List<T> all = new ArrayList<>();
    byLength.values().forEach(alike -> alike.values().forEach(all::addAll));
    sort(all);
    return all;
  }
}
