package dev.penstock.internal.slices;

import dev.penstock.internal.slices.KnownMatches.Stretch;
import dev.penstock.split.RowRange;
import java.util.ArrayList;
import java.util.List;

/// Neighbouring rows of a file of which it is known which of them match a filter.
///
/// Immutable; share it freely among threads.
public final class KnownRows {
  /// So few rows are not left out at the start: a reader that begins within a row group has to read
  /// where its pages are.
  private static final long NEAR_ROWS = 8192;

  private final List<Stretch> stretches;

  /// Puts together what is known.
  ///
  /// @param stretches ascending, without rows between
  KnownRows(List<Stretch> stretches) {
    this.stretches = List.copyOf(stretches);
  }

  /// Returns how many match.
  ///
  /// @return the matches among all of the rows
  public long count() {
    long count = 0;
    for (Stretch part : stretches) {
      count += part.before(part.end()) - part.before(part.first());
    }
    return count;
  }

  /// Leaves of ranges what lies between their first match, or little before it, and their last.
  ///
  /// @param ranges ascending and apart from each other
  /// @return likewise; what lies outside has no match
  public List<RowRange> trim(List<RowRange> ranges) {
    List<RowRange> trimmed = new ArrayList<>();
    for (RowRange range : ranges) {
      for (Stretch part : stretches) {
        long from = Math.max(range.offset(), part.first());
        long to = Math.min(range.end(), part.end());
        if (from < to) {
          long first = part.before(from);
          long last = part.before(to) - 1;
          if (first <= last) {
            long match = part.matches().row(first);
            long start = match - from < NEAR_ROWS ? from : match;
            trimmed.add(new RowRange(start, part.matches().row(last) + 1 - start));
          }
        }
      }
    }
    return trimmed;
  }

  /// Returns what chooses among the rows.
  ///
  /// @return a new choice, for one reader
  public RowChoice choice() {
    return new KnownChoice(stretches);
  }
}
