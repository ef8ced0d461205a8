package dev.penstock.internal.slices;

import dev.penstock.spi.format.RowSet;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which rows match a filter, as far as they were tested: kept for later epochs, which neither test
/// them again nor read the filter's columns for it.
///
/// For one filter over one table, as a loader has them. Each epoch may cut its runs otherwise: what
/// one has found of some rows serves all that ask for rows of these.
///
/// **Ownership.** Holds at most a bit for each row, and 16 for each match where few do, up to
/// [#BYTES_MAX] in all; rows that come then are tested in each epoch.
///
/// **Threads.** Any.
public final class KnownMatches {
  /// Bytes at most: the bits of 67 million rows.
  static final long BYTES_MAX = 8 << 20;

  /// About what a stretch takes besides its set.
  private static final long STRETCH_BYTES = 256;

  private final long bytesMax;
  private final Map<Location, TreeMap<Long, Stretch>> files = new HashMap<>(); // guarded by this
  private long bytes; // guarded by this

  /// Neighbouring rows that were tested.
  ///
  /// @param first the first row
  /// @param end the row behind the last
  /// @param matches which of them match; may have rows before and behind
  record Stretch(long first, long end, RowSet matches) {
    /// Returns how many rows of the set are before a row of the stretch, or the one behind it.
    long before(long row) {
      return matches.before(row);
    }

    long bytes() {
      return STRETCH_BYTES + matches.bytes();
    }
  }

  /// Makes it with nothing known.
  public KnownMatches() {
    this(BYTES_MAX);
  }

  /// Makes it with nothing known.
  ///
  /// @param bytesMax how much may be kept
  public KnownMatches(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Takes note of rows that were tested.
  ///
  /// @param file the file
  /// @param first the first of them, counted from 0 in the file
  /// @param end the row behind the last
  /// @param matches which of them match; finished
  public synchronized void add(Location file, long first, long end, RowSet matches) {
    /* Of two stretches neither lies within the other, so that their ends are in the order of their
     * starts: of all that start before a row, the last one reaches furthest. */
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

  /// Returns which of some neighbouring rows match.
  ///
  /// @param file the file
  /// @param first the first of them, counted from 0 in the file
  /// @param end the row behind the last
  /// @return null where that is not known of all of them
  public synchronized @Nullable KnownRows rows(Location file, long first, long end) {
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
    return new KnownRows(found);
  }
}
