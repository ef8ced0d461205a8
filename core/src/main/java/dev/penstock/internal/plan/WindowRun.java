package dev.penstock.internal.plan;

import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;

/// A window of the sequence, whose rows are delivered in random order: the order is a function of
/// the seed, the epoch and the window's number alone.
///
/// Its own rows are the places in that order; a filter leaves the last ones empty.
///
/// @param parts the rows of files, in the order of the sequence
/// @param number the window's number in its rank's share, from 0
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
public record WindowRun(List<RowRun> parts, long number, long firstRow, long rowCount)
    implements Run {
  /// Copies the list.
  public WindowRun {
    parts = List.copyOf(parts);
  }

  @Override
  public long behind() {
    return 0;
  }

  /// Cuts a rank's share into windows.
  ///
  /// @param share the rows in order
  /// @param shuffle how many rows a window has
  /// @param start where to go on
  /// @return the windows from there, in order
  public static List<Run> of(Sequence share, Shuffle.Window shuffle, Position start) {
    List<Run> windows = new ArrayList<>();
    long number = start.rows() / shuffle.rows();
    long first = start.rows() % shuffle.rows();
    for (long from = number * shuffle.rows(); from < share.rows(); from += shuffle.rows()) {
      long to = Math.min(from + shuffle.rows(), share.rows());
      if (first < to - from) {
        windows.add(new WindowRun(share.slice(from, to).runs(), number, first, to - from - first));
      }
      number++;
      first = 0;
    }
    return windows;
  }
}
