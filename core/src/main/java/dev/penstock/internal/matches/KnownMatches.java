package dev.penstock.internal.matches;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.format.RowSet;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which of the tested rows match a filter: kept so that later epochs neither test them again nor
/// read the filter's columns for it.
///
/// Belongs to one loader: to its filter over its table. Epochs may cut their runs differently: a
/// result serves all later runs whose rows were tested.
///
/// **Ownership.** Holds at most a bit for each row, or 16 bits for each match where few rows match,
/// up to [#BYTES_MAX] in all; further rows are tested in every epoch.
///
/// **Threads.** Any.
public final class KnownMatches {
  /// The most bytes to keep: the bits of 67 million rows.
  static final long BYTES_MAX = 8 << 20;

  /// The approximate bytes of a stretch without its set.
  private static final long STRETCH_BYTES = 256;

  private final long bytesMax;

  @GuardedBy("this")
  private final Map<Location, TreeMap<Long, Stretch>> files = new HashMap<>();

  @GuardedBy("this")
  private long bytes;

  /// Neighbouring rows that were tested.
  ///
  /// @param matches which of them match; may have rows before and after them
  record Stretch(long first, long end, RowSet matches) {
    /// Returns how many rows of the set are before `row`, which is in `[first, end]`.
    long before(long row) {
      return matches.before(row);
    }

    long bytes() {
      return STRETCH_BYTES + matches.bytes();
    }
  }

  public KnownMatches() {
    this(BYTES_MAX);
  }

  public KnownMatches(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Records tested rows `[first, end)`, counted from 0 in the file; `matches` is finished.
  public synchronized void add(Location file, long first, long end, RowSet matches) {
    /* No stretch lies within another, so their ends have the same order as their starts: of all
     * that start before a row, the last one reaches furthest. */
    TreeMap<Long, Stretch> stretches = files.computeIfAbsent(file, _ -> new TreeMap<>());
    Map.Entry<Long, Stretch> before = stretches.floorEntry(first);
    if (first >= end || (before != null && before.getValue().end() >= end)) {
      return;
    }
    for (Stretch old : List.copyOf(stretches.subMap(first, end).values())) {
      if (old.end() <= end) {
        stretches.remove(old.first());
        bytes -= old.bytes();
      }
    }
    Stretch next = new Stretch(first, end, matches);
    if (bytes + next.bytes() <= bytesMax) {
      stretches.put(first, next);
      bytes += next.bytes();
    }
  }

  /// Returns which of the rows `[first, end)` of a file match; null unless all were tested.
  public synchronized @Nullable KnownRange rows(Location file, long first, long end) {
    TreeMap<Long, Stretch> stretches = files.get(file);
    if (stretches == null) {
      return null;
    }
    List<Stretch> found = new ArrayList<>();
    for (long row = first; row < end; ) {
      Map.Entry<Long, Stretch> next = stretches.floorEntry(row);
      if (next == null || next.getValue().end() <= row) {
        return null;
      }
      Stretch stretch = next.getValue();
      long to = Math.min(end, stretch.end());
      found.add(new Stretch(row, to, stretch.matches()));
      row = to;
    }
    return new KnownRange(found);
  }
}
